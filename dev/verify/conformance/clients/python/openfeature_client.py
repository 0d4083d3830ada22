"""OpenFeature's Python SDK over its OFREP provider, driven line by line: arguments are the HTTP URL and a key.

A line of standard input is JSON: the type, the key and the default of a flag, and the context. The answer is a line of JSON:
what the SDK says of the evaluation.
"""

import json
import sys

from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext

url, key = sys.argv[1:]
api.set_provider(OFREPProvider(url, headers_factory=lambda: {'Authorization': f'Bearer {key}'}))
client = api.get_client()
for line in sys.stdin:
    asked = json.loads(line)
    context = dict(asked['context'])
    evaluation = EvaluationContext(context.pop('targetingKey', None), context)
    details = getattr(client, f'get_{asked["type"]}_details')(asked['key'], asked['default'], evaluation)
    told = {
        'value': details.value,
        'variant': details.variant,
        'reason': details.reason,
        'errorCode': details.error_code,
        'metadata': dict(details.flag_metadata),
    }
    print(json.dumps(told), flush=True)
