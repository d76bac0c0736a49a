"""For processes with this folder on their PYTHONPATH: a wall clock that is off by SKEW_S seconds, from the start on."""

import os
import time

_SKEW_S = float(os.environ["SKEW_S"])
_time, _time_ns = time.time, time.time_ns
time.time = lambda: _time() + _SKEW_S
time.time_ns = lambda: _time_ns() + round(_SKEW_S * 1e9)
