"""The archive in a bucket that speaks S3: the same files under the same names as in a folder (needs extra `s3`)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import parse_qs, urlsplit

from server.store.archive import MAX_FILE_BYTES, SUFFIX, is_rid
from server.store.connect import StoreUnavailable
from server.store.datadir import StartRefused

if TYPE_CHECKING:
    from obstore.store import S3Store

__all__ = ["BucketArchive", "open_bucket"]

ANSWER_S: Final = 10
"""How long the bucket may take for one answer, and for all its repetitions."""
RETRIES: Final = 3
NO_BUCKET: Final = "NoSuchBucket"
"""S3 says 404 both where an object is missing, which is an answer, and where all of the bucket is, which is a fault."""
OPTIONS: Final = ("endpoint", "region")
"""What a URL may say beside bucket and prefix; secrets come from AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY."""


class BucketArchive:
    """Objects `PREFIX/ab/abcd….fairdeal` in a bucket."""

    def __init__(self, store: S3Store) -> None:
        import obstore

        self._obstore = obstore
        self._store = store

    async def read(self, rid: str) -> bytes | None:
        """Return a race's file; None where there is none, as for what is no race's id. Raises StoreUnavailable."""
        if not is_rid(rid):
            return None
        try:
            found = await self._obstore.get_async(self._store, _path(rid))
            if found.meta["size"] > MAX_FILE_BYTES:
                return b""
            return bytes(await found.bytes_async())
        except FileNotFoundError as fault:
            if NO_BUCKET in str(fault):
                raise _unavailable(fault) from fault
            return None
        except self._obstore.exceptions.BaseError as fault:
            raise _unavailable(fault) from fault

    async def write(self, rid: str, data: bytes) -> None:
        """Put a whole file into its place, at once for all who look; one that is there is replaced if it differs.

        Raises StoreUnavailable.
        """
        if not is_rid(rid):
            raise ValueError(f"expected the id of a race, found {rid!r}")
        try:
            await self._obstore.put_async(self._store, _path(rid), data, mode="create")
        except self._obstore.exceptions.AlreadyExistsError:
            if await self.read(rid) != data:
                await self._replace(rid, data)
        except (FileNotFoundError, self._obstore.exceptions.BaseError) as fault:
            raise _unavailable(fault) from fault

    async def races(self) -> AsyncIterator[str]:
        """Yield the ids of all races that have a file, in order. Raises StoreUnavailable."""
        try:
            async for page in self._obstore.list(self._store):
                for found in page:
                    rid = found["path"].rpartition("/")[2].removesuffix(SUFFIX)
                    if is_rid(rid) and found["path"] == _path(rid):
                        yield rid
        except self._obstore.exceptions.BaseError as fault:
            raise _unavailable(fault) from fault

    async def _replace(self, rid: str, data: bytes) -> None:
        try:
            await self._obstore.put_async(self._store, _path(rid), data)
        except self._obstore.exceptions.BaseError as fault:
            raise _unavailable(fault) from fault


def open_bucket(url: str) -> BucketArchive:
    """Return the archive in a bucket: `s3://BUCKET/PREFIX?endpoint=URL&region=NAME`. Raises StartRefused."""
    parts = urlsplit(url)
    shown = url.partition("?")[0]
    asked = {name: values[-1] for name, values in parse_qs(parts.query).items()}
    if not parts.netloc or set(asked) - set(OPTIONS):
        raise StartRefused(
            f"The archive {shown} should be s3://BUCKET/PREFIX, with endpoint=URL and region=NAME after a ?: "
            "correct --archive."
        )
    try:
        from obstore.store import S3Store
    except ModuleNotFoundError as missing:
        raise StartRefused(
            f"The archive {shown} is in a bucket, and the package for that is not there: run `sh deploy/install "
            "--extra s3`, or give a folder with --archive DIR."
        ) from missing
    options: dict[str, Any] = {"region": asked.get("region", "us-east-1")}
    if "endpoint" in asked:
        options |= {"endpoint": asked["endpoint"], "virtual_hosted_style_request": False}
    store = S3Store.from_url(
        f"s3://{parts.netloc}{parts.path}",
        client_options={"allow_http": asked.get("endpoint", "").startswith("http://"), "timeout": f"{ANSWER_S}s"},
        retry_config={"max_retries": RETRIES, "retry_timeout": timedelta(seconds=ANSWER_S)},
        **options,
    )
    return BucketArchive(store)


def _path(rid: str) -> str:
    return f"{rid[:2]}/{rid}{SUFFIX}"


def _unavailable(fault: Exception) -> StoreUnavailable:
    return StoreUnavailable(f"the archive: {str(fault).splitlines()[0]}")
