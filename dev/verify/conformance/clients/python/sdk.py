"""FeatBit's Python SDK, driven line by line: arguments are the streaming URL, the events URL and the server key.

A line of standard input is a flag's key. The answer is a line of JSON: the value that a user gets ("none" where there is no
such flag), how many flags the SDK has, and how often it has connected.
"""

import json
import logging
import sys

from fbclient.client import FBClient
from fbclient.config import Config
from fbclient.utils import log

connections = 0


class CountConnections(logging.Handler):
    def emit(self, record):
        global connections
        connections += record.getMessage() == 'Streaming WebSocket is connecting...'


log.setLevel(logging.DEBUG)
log.addHandler(CountConnections())
log.propagate = False

streaming_url, event_url, server_key = sys.argv[1:]
user = {'key': 'u1', 'name': 'u1'}
with FBClient(Config(server_key, event_url, streaming_url), start_wait=15) as client:
    for line in sys.stdin:
        value = client.variation(line.strip(), user, default='none')
        flags = len(client.get_all_latest_flag_variations(user).keys())
        print(json.dumps({'value': value, 'flags': flags, 'connections': connections}), flush=True)
