"""Sends what live-signers.test.ts lists with botocore, requests-aws4auth and opensearch-py; ends with «N passed, N failed»."""
import json
import os
import sys
import urllib.parse

import requests
import urllib3
from botocore.auth import SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials
from opensearchpy import OpenSearch, RequestsAWSV4SignerAuth, RequestsHttpConnection, Urllib3AWSV4SignerAuth, Urllib3HttpConnection
from requests_aws4auth import AWS4Auth

URL = os.environ["CHAJA_URL"]
CA = os.environ["CHAJA_CA"]
KEYS = json.loads(os.environ["CHAJA_KEYS"])
REQUESTS = json.loads(os.environ["CHAJA_REQUESTS"])
HOST = urllib.parse.urlparse(URL).netloc
POOL = urllib3.PoolManager(ca_certs=CA)
counts = {"passed": 0, "failed": 0}
by_signer = {}


def signer_of(name):
    return next(label for label in ("botocore, body changed", "botocore", "requests-aws4auth", "opensearch-py urllib3", "opensearch-py requests") if name.startswith(label))


def check(name, condition, detail=""):
    counts["passed" if condition else "failed"] += 1
    signer = by_signer.setdefault(signer_of(name), [0, 0])
    signer[0] += 1 if condition else 0
    signer[1] += 1
    if not condition:
        print("FAIL", name, detail, file=sys.stderr)


def exact(method, target, headers, body):
    """Path and headers as they are: urllib3 would normalise a path, http.client does not."""
    import http.client
    import ssl

    host, port = HOST.split(":")
    connection = http.client.HTTPSConnection(host, int(port), context=ssl.create_default_context(cafile=CA))
    connection.putrequest(method, target, skip_host=True, skip_accept_encoding=True)
    for key, value in headers.items():
        if key.lower() != "content-length":
            connection.putheader(key, value)
    if body:
        connection.putheader("Content-Length", str(len(body)))
    connection.endheaders(body or None)
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    return answer.status, text


for key in KEYS:
    credentials = Credentials(key["accessKeyId"], key["secretAccessKey"], key.get("sessionToken"))
    for name, wire in REQUESTS.items():
        body = wire["body"].encode()
        title = f"{name} ({key['accessKeyId'][:4]})"

        # botocore signs a raw query as it stands.
        request = AWSRequest(method=wire["method"], url=URL + wire["target"], data=body, headers={"Host": HOST, "Content-Type": "application/json"})
        SigV4Auth(credentials, "es", "us-east-1").add_auth(request)
        status, text = exact(wire["method"], wire["target"], dict(request.headers), body)
        check(f"botocore {title}", status == 200, text)
        status, text = exact(wire["method"], wire["target"], dict(request.headers), body + b" ")
        check(f"botocore, body changed {title}", status == 403, text)

        for label, auth in (
            ("requests-aws4auth", AWS4Auth(key["accessKeyId"], key["secretAccessKey"], "us-east-1", "es", session_token=key.get("sessionToken"))),
            ("opensearch-py requests", RequestsAWSV4SignerAuth(credentials, "us-east-1", "es")),
        ):
            answer = requests.request(wire["method"], URL + wire["target"], data=body or None, auth=auth, verify=CA, headers={"Content-Type": "application/json"})
            check(f"{label} {title}", answer.status_code == 200, answer.text)

    for label, connection, auth in (
        ("opensearch-py urllib3", Urllib3HttpConnection, Urllib3AWSV4SignerAuth(credentials, "us-east-1", "es")),
        ("opensearch-py requests", RequestsHttpConnection, RequestsAWSV4SignerAuth(credentials, "us-east-1", "es")),
    ):
        host, port = HOST.split(":")
        client = OpenSearch(hosts=[{"host": host, "port": int(port)}], http_auth=auth, use_ssl=True, verify_certs=True, ca_certs=CA, connection_class=connection, max_retries=0)
        for title, call in {
            "search with blanks": lambda: client.search(index="books", q="title:너의 이름*", body={"size": 1}),
            "bulk": lambda: client.bulk(body='{"index":{"_index":"b"}}\n{"a":"가"}\n'),
            "get": lambda: client.get(index="books", id="a/b c한글,*"),
        }.items():
            try:
                call()
                check(f"{label} {title}", True)
            except Exception as error:  # the report says which
                check(f"{label} {title}", False, repr(error))

for label, (passed, asked) in by_signer.items():
    print(f"{label}: {passed}/{asked}")
print(f"{counts['passed']} passed, {counts['failed']} failed")
sys.exit(1 if counts["failed"] else 0)
