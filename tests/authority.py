"""A certificate authority of the tests' own, made anew with openssl: what TLS between machines is checked against."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Final

__all__ = ["Authority"]

# As strict as Python 3.13 checks them.
EXTENSIONS: Final = """
[req]
distinguished_name = name
[name]
[authority]
basicConstraints = critical,CA:true
keyUsage = critical,keyCertSign
subjectKeyIdentifier = hash
[server]
basicConstraints = critical,CA:false
keyUsage = critical,digitalSignature
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid
subjectAltName = IP:127.0.0.1
"""
NEW_KEY: Final = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes")


class Authority:
    """An authority and one certificate of it, for whatever listens on 127.0.0.1; good for a day."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir()
        self._folder = folder
        (folder / "extensions").write_text(EXTENSIONS)
        self._make("authority")
        self._make("server", "-CA", str(self.certificate), "-CAkey", str(folder / "authority.key"))

    @property
    def certificate(self) -> Path:
        """What clients are given to know its servers by."""
        return self._folder / "authority.pem"

    @property
    def chain(self) -> tuple[Path, Path]:
        """The certificate of its servers, and the key."""
        return self._folder / "server.pem", self._folder / "server.key"

    @property
    def options(self) -> str:
        """What is put behind a URL of Redis to know its servers by."""
        return f"?ssl_ca_certs={self.certificate}"

    @property
    def own(self) -> str:
        """What is put behind that where a server asks for the client's certificate as well."""
        certificate, key = self.chain
        return f"&ssl_certfile={certificate}&ssl_keyfile={key}"

    def settings(self, port: int) -> dict[str, object]:
        """Settings by which a Redis or a sentinel speaks TLS only, to its like as well, and asks for no certificate."""
        certificate, key = self.chain
        return {
            "port": 0,
            "tls-port": port,
            "tls-replication": "yes",
            "tls-auth-clients": "no",
            "tls-cert-file": certificate,
            "tls-key-file": key,
            "tls-ca-cert-file": self.certificate,
        }

    def _make(self, name: str, *signed_by: str) -> None:
        out = ("-keyout", str(self._folder / f"{name}.key"), "-out", str(self._folder / f"{name}.pem"))
        subject = ("-subj", f"/CN={name}", "-days", "1", "-config", str(self._folder / "extensions"))
        command = ["openssl", "req", "-x509", *NEW_KEY, *out, *subject, "-extensions", name, *signed_by]
        subprocess.run(command, check=True, capture_output=True)
