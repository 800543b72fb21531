"""An OIDC provider for tests alone, on loopback: discovery, keys that rotate, and tokens with any claims."""

import json
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from joserfc import jwt
from joserfc.jwk import ECKey, KeySet, RSAKey


class LocalOidcProvider:
    """Listens until it is closed. ``asked`` are the paths of the requests that came."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.keys: list[Any] = [RSAKey.generate_key(2048, {"use": "sig", "alg": "RS256"}, private=True, auto_kid=True)]
        self.named: str | None = None  # what it calls itself, where that is not its URL
        self.broken = False
        self.forced: tuple[int, bytes] | None = None  # the status and body of every answer, where they are no good
        self.described: dict[str, Any] = {}  # what its discovery says beside the rest, or instead
        provider = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                provider.asked.append(self.path)
                status, body = 500 if provider.broken else 200, json.dumps(provider.answer(self.path)).encode()
                if provider.forced is not None:
                    status, body = provider.forced
                self.send_response(status)
                self.send_header("Location", provider.url)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_: Any) -> None:
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/realms/test"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def answer(self, path: str) -> dict[str, Any]:
        if path.endswith("openid-configuration"):
            return {"issuer": self.named or self.url, "jwks_uri": self.url + "/certs"} | self.described
        return dict(KeySet(self.keys).as_dict(private=False))

    def rotate(self) -> None:
        """A new key, with which tokens are signed from now on; the one before is forgotten."""
        self.keys = [ECKey.generate_key("P-256", {"use": "sig", "alg": "ES256"}, private=True, auto_kid=True)]

    def token(self, audience: Any, *, key: Any = None, header: dict[str, Any] | None = None, **claims: Any) -> str:
        """An access token; a claim of None is left out."""
        key = key or self.keys[-1]
        now = int(time.time())
        told = {"iss": self.url, "sub": "maya", "aud": audience, "exp": now + 300, "iat": now, "scope": "memory:read"}
        told |= claims
        full = {"alg": key.alg, "kid": key.kid} | (header or {})
        return jwt.encode(full, {n: v for n, v in told.items() if v is not None}, key, algorithms=[full["alg"]])

    def close(self) -> None:
        """Stops listening."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
