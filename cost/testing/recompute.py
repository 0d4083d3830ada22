"""Recomputes bills from the price sheets and cost/formulae.md alone, with nothing but Python's standard library.

Reads {"assumed": {...}, "workloads": [{...}]} on standard input, as the model has them, and writes for each workload and way of running
the service the US dollars of every item, or null where it cannot be done in any size.
"""

import json
import math
import sys
from collections import defaultdict
from pathlib import Path

PRICES = Path(__file__).resolve().parent.parent / "prices"
MONTH, KB, GB = 730, 1024, 1024**3
FUNCTION_GB = {"connect": 0.5, "sync": 0.5, "disconnect": 0.25, "default": 0.25, "heal": 0.5, "http": 0.5}
FUNCTION_GB["publish"] = FUNCTION_GB["deliver"] = 1769 / 1024
SHARDS, DELIVERIES, REPLICAS, ROW, PONG = 16, 4, 4, 400, 32
STEP, LARGEST = 32 * KB, 128 * KB
PLAIN_HANDSHAKE = 300


def price_of(sheet, key, quantity, free_tier):
    entry = sheet["prices"][key]
    free = entry.get("free", {})
    allowances = {"none": [0], "always": [free.get("always", 0)], "first-year": list(free.values()) or [0]}
    rest, begin, usd = max(0, quantity - max(allowances[free_tier])), 0, 0.0
    for tier in entry["tiers"]:
        end = tier.get("upTo", math.inf)
        usd += max(0, min(rest, end) - begin) / entry["per"] * tier["usd"]
        begin = end
    return usd


def priced(items, w):
    """Items as (purpose, price, what): quantity. What the price of all of one kind comes to is divided among them."""
    sheet = json.loads((PRICES / f"{w['region']}.json").read_text())
    totals = defaultdict(float)
    for (_, price, _), quantity in items.items():
        totals[price] += quantity
    usd = {price: price_of(sheet, price, total, w["freeTier"]) for price, total in totals.items()}
    return {"|".join(key): usd[key[1]] * q / totals[key[1]] if totals[key[1]] else 0.0 for key, q in items.items()}


class Load:
    """What a workload amounts to (formulae.md, "The load")."""

    def __init__(self, w):
        n, curve = w["connections"], w["curve"]
        active = [s for s in curve if s > 0] if n else []
        usual = sum(active) / len(active) if active else 1
        self.hours = []
        for i, s in enumerate(curve):
            if n and s:
                self.hours.append((n * s, max(w["newPerHour"] * s / usual, n * (s - curve[i - 1]))))
        days = w["days"]
        self.held = days * sum(h for h, _ in self.hours)
        self.active = min(MONTH, len(self.hours) * days)
        self.starts = days * sum(s for _, s in self.hours)
        self.opens = days * sum(self.opened(h, s) for h, s in self.hours)
        self.ping_rate = sum(k["share"] * 3600 / k["pingSeconds"] for k in w["sdks"])
        self.pings = self.held * self.ping_rate
        self.messages = self.held * w["messagesPerHour"]
        self.changes = w["changesPerDay"] * days
        self.reached = n * sum(curve) / 24 / w["environments"]
        self.pushes = self.changes * self.reached
        self.events = self.held * w["eventsPerHour"]

    @staticmethod
    def opened(held, started):
        return held / 2 if started == 0 else started / (1 - math.exp(-2 * started / held))


def steps(size):
    return max(1, math.ceil(size / STEP))


def read_units(size):
    return max(1, math.ceil(size / (4 * KB)))


def write_units(w):
    return 2 * (3 * math.ceil((w["flagBytes"] + 300) / KB) + REPLICAS)


def sizes(w, a):
    return [(k["share"], k["type"], a["clientFlagBytes"] if k["type"] == "client" else w["flagBytes"]) for k in w["sdks"]]


def delivered(events, a):
    together = a["eventsPerRequest"]
    return events / together * math.ceil(a["eventBytes"] * together / (5 * KB)) * 5 * KB / GB


def answer_steps(kind, flags, size):
    if kind == "client" or flags * size <= LARGEST:
        return steps(flags * size)
    first = int(LARGEST // size)
    return steps(first * size) + (flags - first) * steps(size)


def serverless(w, a):
    load, items = Load(w), defaultdict(float)

    def add(purpose, price, what, quantity):
        items[purpose, price, what] += quantity

    def calls(purpose, name, count, ms):
        add(purpose, "lambdaRequest", name, count)
        add(purpose, "lambdaGbSecond", name, count * ms * FUNCTION_GB[name] / 1000)
        add(purpose, "logGb", name, count * a[f"{name}LogBytes"] / GB)

    opens, frame, cold = load.opens, a["frameBytes"], a["coldShare"] * a["coldMs"]
    flags, size, kinds = w["flags"], w["flagBytes"], sizes(w, a)
    mean_size = sum(share * each for share, _, each in kinds)
    add("heartbeat", "webSocketMessage", "pings", load.pings)
    pongs = load.pings if w["pongs"] else 0
    add("heartbeat", "webSocketMessage", "pongs", pongs)
    add("heartbeat", "dataOut", "pongs", pongs * (PONG + frame) / GB)
    add("connections", "connectionMinute", "connection minutes", load.held * 60)
    calls("connections", "connect", opens, a["connectMs"] + cold)
    add("connections", "readUnit", "secrets looked up", opens)
    add("connections", "writeUnit", "notes of who waits for an answer, made and taken away", 2 * opens)
    calls("connections", "disconnect", opens, a["disconnectMs"])
    add("connections", "writeUnit", "connections removed", opens)
    add("connections", "dataOut", "handshakes", opens * a["handshakeBytes"] / GB)
    add("syncs", "webSocketMessage", "data-syncs", opens)
    full = sum(share * answer_steps(kind, flags, each) for share, kind, each in kinds)
    add("syncs", "webSocketMessage", "their answers", load.starts * full + opens - load.starts)
    calls("syncs", "sync", opens, a["syncMs"] + cold)
    add("syncs", "writeUnit", "connections registered, and noted as answered", 2 * opens)
    add("syncs", "readUnit", "versions", opens)
    add("syncs", "readUnit", "environments, by new instances", opens * a["coldShare"] * read_units(flags * size))
    add("syncs", "dataOut", "answers", (load.starts * flags * mean_size + opens * frame) / GB)
    add("messages", "webSocketMessage", "messages", load.messages)
    add("messages", "webSocketMessage", "their answers", load.messages)
    calls("messages", "default", load.messages, a["defaultMs"])
    add("messages", "dataOut", "answers", load.messages * (PONG + frame) / GB)
    occupied = SHARDS * (1 - (1 - 1 / SHARDS) ** load.reached) if load.changes else 0
    deliveries = load.changes * occupied
    readers = min(occupied, DELIVERIES) + (a["readersPerChange"] if occupied else 0)
    add("pushes", "writeUnit", "changes", load.changes * write_units(w))
    notes = max(1, math.ceil(load.reached / occupied / 500)) if occupied else 0
    add("pushes", "writeUnit", "notes of how far deliveries have come", deliveries * notes)
    add("pushes", "readUnit", "looks for who is connected", load.changes * SHARDS)
    rows = occupied * read_units(load.reached * ROW / occupied) if occupied else 0
    add("pushes", "readUnit", "connections", load.changes * rows)
    add("pushes", "readUnit", "versions", deliveries)
    add("pushes", "readUnit", "changes, by every instance", load.changes * readers * read_units(size))
    calls("pushes", "publish", load.changes, a["publishMs"])
    sends = math.ceil(occupied / 10) * max(1, math.ceil(10 * size / (64 * KB)))
    add("pushes", "queueRequest", "messages to shards", load.changes * sends)
    add("pushes", "queueRequest", "deliveries", 2 * deliveries)
    calls("pushes", "deliver", deliveries, a["deliverMs"])
    add("pushes", "lambdaGbSecond", "messages to connections", load.pushes * a["postMs"] * FUNCTION_GB["deliver"] / 1000)
    add("pushes", "webSocketMessage", "patches", load.pushes * sum(share * steps(each) for share, _, each in kinds))
    add("pushes", "dataOut", "patches", load.pushes * (mean_size + frame) / GB)
    requests = load.events / a["eventsPerRequest"]
    add("insights", "httpRequest", "requests with events", requests)
    calls("insights", "http", requests, a["httpMs"])
    add("insights", "deliveredGb", "events", delivered(load.events, a))
    logged = {"insights": requests}
    if w["accessLogs"]:
        logged |= {"heartbeat": load.pings, "connections": 2 * opens, "syncs": opens, "messages": load.messages}
    for purpose, lines in logged.items():
        add(purpose, "logGb", "access log", lines * a["accessLogBytes"] / GB)
    stored, looks = w["environments"] * flags * size / GB, MONTH * 60
    add("machines", "alarm", "alarms", 10 if w["lean"] else 14)
    add("machines", "smallDashboard" if w["lean"] else "dashboard", "dashboard", 1)
    add("machines", "queueRequest", "polls of the queues", 2 * 5 * 86400 / 20 * MONTH / 24)
    calls("machines", "heal", looks, a["healMs"])
    add("machines", "readUnit", "looks for who was not answered", looks * 8)
    add("machines", "customMetric", "metrics of the functions", 5 * load.active / MONTH)
    add("machines", "tableStorage", "flags and connections", stored + w["connections"] * ROW / GB)
    add("machines", "tableBackup", "flags", stored)
    return items


def looks_a_second(w):
    usual = 1000 / w["pollIntervalMs"]
    edited = min(w["environments"], w["changesPerDay"] * 60 / 86400)
    return (w["environments"] - edited) * usual + edited * max(usual, 100)


def host_use(w, a, process_hours, processes, handshake):
    load, items = Load(w), {}
    size = sum(share * each for share, _, each in sizes(w, a))
    out = {
        ("heartbeat", "pongs"): load.pings * (PONG + a["frameBytes"]),
        ("connections", "handshakes"): load.starts * handshake,
        ("syncs", "answers"): load.starts * (w["flags"] * size + a["frameBytes"]),
        ("messages", "answers"): load.messages * (PONG + a["frameBytes"]),
        ("pushes", "patches"): load.pushes * (size + a["frameBytes"]),
    }
    for (purpose, what), sent in out.items():
        items[purpose, "dataOut", what] = sent / GB
    seconds = process_hours * 3600
    items["machines", "readUnit", "looks for changes"] = seconds * looks_a_second(w)
    items["syncs", "readUnit", "reads for data-syncs"] = min(load.starts, seconds / 0.003)
    items["pushes", "writeUnit", "changes"] = load.changes * write_units(w)
    items["pushes", "readUnit", "changes, by every process"] = load.changes * processes * 2 * read_units(w["flagBytes"])
    items["insights", "deliveredGb", "events"] = delivered(load.events, a)
    stored = w["environments"] * w["flags"] * w["flagBytes"] / GB
    items["machines", "tableStorage", "flags"] = items["machines", "tableBackup", "flags"] = stored
    return items


def host_hours(w, a, factor, ends_tls):
    """(held, cores of the work) of each hour, and the cores that each process takes by itself."""
    load = Load(w)
    own = factor * (a["idleCores"] + looks_a_second(w) * a["pollCoreMs"] / 1000)
    start = a["syncCoreMs"] + (a["tlsCoreMs"] if ends_tls else 0)
    each = (load.ping_rate + w["messagesPerHour"]) * a["pingCoreMs"]
    each += w["changesPerDay"] / 24 / w["environments"] * a["pushCoreMs"]
    each += w["eventsPerHour"] / a["eventsPerRequest"] * a["requestCoreMs"]
    return [(h, (h * each + s * start) * factor / 3.6e6) for h, s in load.hours], own


def room_for(gb, w, a):
    documents = w["environments"] * w["flags"] * w["flagBytes"]
    return max(0, math.floor((0.75 * gb * GB - a["hostBytes"] - a["documentFactor"] * documents) / a["connectionBytes"]))


def needed(hour, own, holds, share=1.0):
    held, cores = hour
    room = 0.6 * share - own
    if room <= 0 or holds == 0:
        return math.inf
    return max(1, math.ceil(held / holds), math.ceil(cores / room))


def balancer(w, a, tls):
    load = Load(w)
    hours = w["days"] * len(load.hours) if w["servers"] == "hourly" else MONTH
    use = host_use(w, a, 0, 0, a["handshakeBytes"])
    both = sum(q for (_, price, _), q in use.items() if price == "dataOut")
    both += (load.pings + load.messages) * (PONG + a["frameBytes"]) / GB
    new, active = (50, 3000) if tls else (800, 100000)
    units = sum(max(s / 3600 / new, h / active, h * both / load.held) for h, s in load.hours)
    return {
        ("machines", "loadBalancerHour", "load balancer"): hours,
        ("machines", "publicIpv4Hour", "addresses of the load balancer"): 2 * hours,
        ("machines", "loadBalancerUnitHour", "what goes through it"): w["days"] * units,
    }


def machines(w, a, is_fleet):
    tls = w["machineTls"]
    hours, own = host_hours(w, a, a["t2CoreFactor"], tls == "box")
    hourly = w["servers"] == "hourly" and is_fleet
    holds = room_for(1, w, a)
    if tls == "balancer":
        holds = min(50000, holds)
    least = 2
    if w["credits"] == "standard" and hours:
        earned = len(hours) * 0.1 + 30 / 60 if w["servers"] == "hourly" else 2.4
        room = earned - own * len(hours)
        least = max(2, math.ceil(sum(c for _, c in hours) / room)) if room > 0 else math.inf
    counts = [max(least, needed(hour, own, holds)) for hour in hours] if is_fleet else [1] * len(hours)
    most = max([2, *counts]) if is_fleet else 1
    if is_fleet and (holds == 0 or most == math.inf):
        return None
    running = counts if hourly else [most] * len(hours)
    active = w["days"] * sum(running)
    machine_hours = active if hourly else most * MONTH
    processes = most if not hourly else max([0, *counts])
    months = machine_hours / MONTH
    items = {
        ("machines", "t2MicroHour", "machines"): machine_hours,
        ("machines", "diskGb", "disks"): 8 * months,
        ("machines", "publicIpv4Hour", "addresses"): machine_hours,
        ("machines", "customMetric", "metrics of machines and their agents"): 14 * months,
        ("machines", "dashboard", "dashboard"): 1,
    }
    if w["credits"] == "unlimited":
        used = sum(n * min(1, c / n + own) for (_, c), n in zip(hours, running))
        day = active / w["days"] if hourly else 24 * processes if hours else 24 * most
        items["machines", "t2SurplusHour", "credits beyond those earned"] = w["days"] * max(0, used - 0.1 * day)
    items |= host_use(w, a, active, processes, PLAIN_HANDSHAKE if tls == "none" else a["handshakeBytes"])
    if is_fleet and tls != "balancer":
        items["machines", "hostedZone", "name of the fleet"] = 1
        items["machines", "healthCheck", "of each machine"] = months
    if tls == "balancer":
        items |= balancer(w if is_fleet else {**w, "servers": "always"}, a, True)
    if tls == "cloudfront":
        load = Load(w)
        items = {(p, "cdnDataOut" if price == "dataOut" else price, what): q for (p, price, what), q in items.items()}
        items["connections", "cdnRequest", "handshakes at CloudFront"] = load.starts
        received = (load.pings + load.messages) * (PONG + a["frameBytes"]) / GB
        items["heartbeat", "cdnToOrigin", "pings and messages, from CloudFront"] = received
    return items


def fargate(w, a, is_spot):
    hours, own = host_hours(w, a, a["fargateCoreFactor"], False)
    hourly, best = w["servers"] == "hourly", None
    paid, suffix = (a["spotPriceShare"], ", at the part that Spot costs") if is_spot else (1, "")
    for vcpu, gb in ((0.25, 0.5), (0.5, 1), (1, 2)):
        holds = min(20000, room_for(gb, w, a))
        counts = [max(2, needed(hour, own, holds, vcpu)) for hour in hours]
        most = max([0 if hourly else 2, *counts])
        if most == math.inf or holds == 0:
            continue
        active = w["days"] * sum(counts if hourly else [most] * len(hours))
        task_hours = active if hourly else most * MONTH
        items = {
            ("machines", "fargateArmVcpuHour", f"processors{suffix}"): task_hours * vcpu * paid,
            ("machines", "fargateArmGbHour", f"memory{suffix}"): task_hours * gb * paid,
            ("machines", "publicIpv4Hour", "addresses of tasks"): task_hours,
            ("machines", "alarm", "alarms"): 6,
            ("machines", "smallDashboard", "dashboard"): 1,
        }
        items |= balancer(w, a, w["tls"])
        items |= host_use(w, a, active, most, a["handshakeBytes"] if w["tls"] else PLAIN_HANDSHAKE)
        usd = priced(items, w)
        if best is None or sum(usd.values()) < sum(best.values()):
            best = usd
    return best


def main():
    told = json.load(sys.stdin)
    a, bills = told["assumed"], []
    for w in told["workloads"]:
        one, fleet = machines(w, a, False), machines(w, a, True)
        bills.append(
            {
                "serverless": priced(serverless(w, a), w),
                "t2": priced(one, w),
                "fleet": fleet and priced(fleet, w),
                "fargate": fargate(w, a, False),
                "spot": fargate(w, a, True),
            }
        )
    json.dump(bills, sys.stdout)


main()
