"""FeatBit's Python SDK, offline: arguments are a file with a data-sync message and the number of its flags, `c0`, `c1` and so on.

A line of standard input is JSON: the text of the user's attribute `v`, or null where it is missing. The answer is a line with a
character for each flag: 1 for true, 0 for false, ! for no value.
"""

import json
import logging
import sys

from fbclient.client import FBClient
from fbclient.config import Config
from fbclient.utils import log

log.setLevel(logging.CRITICAL)
path, count = sys.argv[1:]
with FBClient(Config('offline', 'http://127.0.0.1', 'ws://127.0.0.1', offline=True)) as client:
    client.initialize_from_external_json(open(path, encoding='utf-8').read())
    for line in sys.stdin:
        text = json.loads(line)
        user = {'key': 'u1', 'name': 'u1', **({} if text is None else {'v': text})}

        def shown(n):
            value = client.variation(f'c{n}', user, default='none')
            return {True: '1', 'true': '1', False: '0', 'false': '0'}.get(value, '!')

        print(''.join(shown(n) for n in range(int(count))), flush=True)
