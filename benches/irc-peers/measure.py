#!/usr/bin/env python3
"""The round trip of a durable act on IRC, beside the echo of other bots.

One server on loopback, three bots on it, and one client that speaks to each in a channel of its own. Rulekeeper is asked
for a vote, which is committed before it is answered. Limnoria and Sopel repeat a word and store nothing. What keeps each
of them from flooding a real network is off. An act is sent when its time has come, whatever was answered by then. What
is measured is from the line that the client sends to the line that answers it. README.md says how it is run.
"""

import argparse
import asyncio
import concurrent.futures
import os
import pathlib
import random
import shutil
import socket
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time

ACTS_WARM_UP = 50
ANSWER_MAX_S = 10.0
START_MAX_S = 60.0
ROOT = os.geteuid() == 0
# Sopel does not start as root: to it this is another user.
NOT_ROOT = ["unshare", "--user", "--map-user=1000"] if ROOT else []


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Client:
    """Somebody on the network who notes when each line came.

    What it reads is acknowledged at once. The server holds a line back until then, and that is no time of a bot's.
    """

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer
        self.waiting = []
        self.reading = asyncio.create_task(self.read())

    @classmethod
    async def connect(cls, port, nick):
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        client = cls(reader, writer)
        welcome = client.awaited(lambda line: " 001 " in line)
        client.send(f"NICK {nick}")
        client.send(f"USER {nick} 0 * :{nick}")
        await asyncio.wait_for(welcome, START_MAX_S)
        return client

    def send(self, line):
        self.writer.write(line.encode() + b"\r\n")

    def acknowledge(self):
        # The system forgets it with the next line that is sent.
        self.writer.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_QUICKACK, 1)

    def awaited(self, is_it):
        """When the next line comes of which `is_it` is true. Of two that wait for a line the first has it."""
        found = asyncio.get_running_loop().create_future()
        self.waiting.append((is_it, found))
        return found

    async def read(self):
        while line := await self.reader.readline():
            now = time.perf_counter()
            self.acknowledge()
            line = line.decode(errors="replace").rstrip("\r\n")
            if line.startswith("PING"):
                self.send("PONG" + line[4:])
            for at, (is_it, found) in enumerate(self.waiting):
                if is_it(line):
                    del self.waiting[at]
                    if not found.done():
                        found.set_result((now, line))
                    break


class Bot:
    """A process on the network. `ask` gives the act of a number and what its answer holds."""

    def __init__(self, name, version, command, folder, env=None):
        self.name, self.version, self.command, self.folder, self.env = name, version, command, folder, env or {}
        self.channel = f"#{name}"
        self.log = open(folder / "log", "ab")
        self.times = []
        self.unanswered = 0
        self.processor = 0.0
        self.acts = 0

    def start(self):
        self.process = subprocess.Popen(
            self.command, cwd=self.folder, env={**os.environ, **self.env}, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log
        )

    def used_s(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def memory_mib(self):
        told = {}
        for line in pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text().splitlines()[1:]:
            key, value = line.split(":")
            told[key] = int(value.split()[0]) / 1024
        return told["Rss"], told["Pss_Anon"]

    def stop(self):
        self.process.terminate()
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            self.process.kill()


class Disk:
    """What a commit alone takes on the disk on which Rulekeeper writes: one row in SQLite, synced."""

    name, version, unanswered, acts, processor = "a bare commit of SQLite", sqlite3.sqlite_version, 0, 0, 0.0

    def __init__(self, folder):
        self.times = []
        self.folder = folder
        self.thread = concurrent.futures.ThreadPoolExecutor(1)

    def commit(self):
        if not hasattr(self, "database"):
            self.database = sqlite3.connect(self.folder / "disk.db", isolation_level=None)
            self.database.executescript("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; CREATE TABLE rows (row TEXT);")
        began = time.perf_counter()
        self.database.execute("INSERT INTO rows VALUES (?)", ("x" * 1000,))
        return (time.perf_counter() - began) * 1000

    async def act(self):
        self.acts += 1
        self.times.append(await asyncio.get_running_loop().run_in_executor(self.thread, self.commit))

    def used_s(self):
        return 0.0

    def memory_mib(self):
        return 0.0, 0.0


class Rulekeeper(Bot):
    def ask(self, number):
        vote = "FOR" if number % 2 else "AGAINST"
        return f"!vote 1 {vote}", f"votes {vote} on Proposal 1"


class Echo(Bot):
    def ask(self, number):
        return f"{self.prefix}echo word{number}.", f"word{number}."


def rulekeeper(program, port, folder):
    folder.mkdir()
    (folder / "rulekeeper.toml").write_text(
        f"""[[irc]]
name = "loop"
host = "127.0.0.1"
port = {port}
tls = false
nick = "rulekeeper"
identity = "connection"
channels = ["#rulekeeper"]
pace = {{ burst_lines = 1000, line_every_ms = 1, unread_max_bytes = 1000000 }}
person = {{ burst_commands = 1000, command_every_ms = 0 }}
"""
    )
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
    env = {"RULEKEEPER_WEB": "off", "RULEKEEPER_DATABASE": "rulekeeper.db"}
    return Rulekeeper("rulekeeper", said[1], [program, "serve"], folder, env)


def limnoria(program, port, folder):
    folder.mkdir()
    (folder / "limnoria.conf").write_text(
        f"""supybot.nick: limnoria
supybot.ident: limnoria
supybot.networks: loop
supybot.networks.loop.servers: 127.0.0.1:{port}
supybot.networks.loop.channels: #limnoria
supybot.networks.loop.ssl: False
supybot.reply.whenAddressedBy.chars: @
supybot.protocols.irc.throttleTime: 0.0
supybot.abuse.flood.command: False
supybot.abuse.flood.command.invalid: False
supybot.plugins: Utilities
supybot.plugins.Utilities: True
supybot.log.stdout.level: WARNING
"""
    )
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout.split()
    bot = Echo("limnoria", said[1], [program, *(["--allow-root"] if ROOT else []), "limnoria.conf"], folder)
    bot.prefix = "@"
    return bot


def sopel(program, port, folder):
    folder.mkdir()
    plugins = folder / "plugins"
    plugins.mkdir()
    # Sopel has no echo of its own.
    (plugins / "repeat.py").write_text(
        """from sopel import plugin


@plugin.command("echo")
def echo(bot, trigger):
    bot.say(trigger.group(2))
"""
    )
    (folder / "sopel.cfg").write_text(
        f"""[core]
nick = sopel
owner = nobody
host = 127.0.0.1
port = {port}
use_ssl = false
channels = "#sopel"
enable = repeat
extra = {plugins}
homedir = {folder}
flood_burst_lines = 1000
flood_refill_rate = 1000
flood_empty_wait = 0
flood_max_wait = 0
antiloop_threshold = 0
"""
    )
    said = subprocess.run([program, "--version"], capture_output=True, text=True, env={**os.environ, "HOME": str(folder)}).stdout.split()
    bot = Echo("sopel", said[1], [*NOT_ROOT, program, "start", "-c", str(folder / "sopel.cfg")], folder, {"HOME": str(folder)})
    bot.prefix = "."
    return bot


async def settle(client, bot):
    """Brings the bot to where it answers."""
    joined = client.awaited(lambda line: line.lower().startswith(f":{bot.name}!") and " JOIN " in line)
    client.send(f"JOIN {bot.channel}")
    if bot.name == "rulekeeper":
        open_room(bot)
    bot.start()
    await asyncio.wait_for(joined, START_MAX_S)
    if bot.name == "rulekeeper":
        await take_a_seat(client, bot)
    for number in range(ACTS_WARM_UP):
        await act(client, bot, number)
    bot.times.clear()
    bot.unanswered = bot.acts = 0
    bot.processor = 0.0


def at_the_console(bot, *lines):
    subprocess.run(
        [bot.command[0], "console"],
        cwd=bot.folder,
        env={**os.environ, **bot.env},
        input="".join(f"{line}\n" for line in lines),
        text=True,
        stdout=bot.log,
        stderr=bot.log,
        check=True,
    )


def open_room(bot):
    """A room of BlogNomic with a proposal that one vote neither enacts nor fails, so that each vote is announced once."""
    robots = ["Ann", "Bob", "Cyd"]
    applying = [line for robot in robots for line in (f"as {robot}", f"robot apply {robot} https://example.org/{robot}")]
    set_up = [f"admin set-up {robot}" for robot in robots]
    at_the_console(
        bot,
        "room open blognomic main",
        f"forum bind @main irc:loop/{bot.channel} as public",
        *applying,
        "as",
        *set_up,
        'propose "Nothing" This changes nothing.',
    )


async def take_a_seat(client, bot):
    heard = client.awaited(lambda line: "admin set-up Client" in line)
    client.send(f"PRIVMSG {bot.channel} :!robot apply Client https://example.org/client")
    await asyncio.wait_for(heard, ANSWER_MAX_S)
    at_the_console(bot, "admin set-up Client")
    await asyncio.sleep(5)


async def act(client, bot, number):
    line, answer = bot.ask(number)
    head = f":{bot.name}!"
    heard = client.awaited(
        lambda said: said.lower().startswith(head) and f" {bot.channel} :" in said and answer in said.split(" :", 1)[1]
    )
    sent = time.perf_counter()
    client.send(f"PRIVMSG {bot.channel} :{line}")
    bot.acts += 1
    try:
        at, _ = await asyncio.wait_for(heard, ANSWER_MAX_S)
        bot.times.append((at - sent) * 1000)
    except asyncio.TimeoutError:
        bot.unanswered += 1


async def asked(client, order, every_ms):
    """One act after another, each at its time."""
    before = {bot: bot.used_s() for bot in set(order)}
    acts, due = [], time.perf_counter()
    for number, bot in enumerate(order):
        due += random.uniform(*every_ms) / 1000
        await asyncio.sleep(max(0.0, due - time.perf_counter()))
        done = bot.act() if isinstance(bot, Disk) else act(client, bot, number // len(before))
        acts.append(asyncio.create_task(done))
    await asyncio.gather(*acts)
    await asyncio.sleep(1)
    for bot, used in before.items():
        bot.processor += bot.used_s() - used


def interleaved(bots, acts):
    order = []
    for _ in range(acts):
        order += random.sample(bots, len(bots))
    return order


def percentile(times, percent):
    return sorted(times)[min(len(times) - 1, len(times) * percent // 100)]


def table(title, bots, memory):
    print(f"\n{title} (load of the machine {os.getloadavg()[0]:.1f})\n")
    print("| bot | acts | median | p99 | worst | processor an act | memory, anonymous part |")
    print("|---|---|---|---|---|---|---|")
    for bot in bots:
        if not bot.times:
            continue
        rss, anon = memory[bot]
        lost = f", {bot.unanswered} unanswered" if bot.unanswered else ""
        print(
            f"| {bot.name} {bot.version} | {bot.acts}{lost} | {statistics.median(bot.times):.2f} ms | {percentile(bot.times, 99):.1f} ms "
            f"| {max(bot.times):.0f} ms | {bot.processor * 1000 / bot.acts:.2f} ms | {rss:.1f}, {anon:.1f} MiB |",
            flush=True,
        )
        bot.times, bot.unanswered, bot.acts, bot.processor = [], 0, 0, 0.0


async def measure(options):
    base = os.environ.get("RULEKEEPER_BENCH_FOLDER")
    folder = pathlib.Path(tempfile.mkdtemp(prefix="irc-peers-", dir=base))
    port = free_port()
    (folder / "ngircd.conf").write_text(
        f"""[Global]
Name = irc.example.org
Info = Peers
Listen = 127.0.0.1
Ports = {port}
AdminInfo1 = Peers
AdminEMail = peers@example.org
MotdPhrase = Peers
[Limits]
MaxConnectionsIP = 0
MaxJoins = 0
MaxNickLength = 30
MaxPenaltyTime = 0
[Options]
DNS = no
Ident = no
PAM = no
"""
    )
    with open(folder / "ngircd.log", "wb") as log:
        server = subprocess.Popen([options.ngircd, "-n", "-f", str(folder / "ngircd.conf")], stdout=log, stderr=log)
    bots = [rulekeeper(options.rulekeeper, port, folder / "rulekeeper")]
    if options.limnoria:
        bots.append(limnoria(options.limnoria, port, folder / "limnoria"))
    if options.sopel:
        bots.append(sopel(options.sopel, port, folder / "sopel"))
    try:
        for _ in range(50):
            try:
                client = await Client.connect(port, "client")
                break
            except OSError:
                await asyncio.sleep(0.1)
        for bot in bots:
            await settle(client, bot)
            print(f"{bot.name} {bot.version}, process {bot.process.pid}", file=sys.stderr, flush=True)
        await asyncio.sleep(options.rest)
        bots.append(Disk(folder))
        memory = {bot: bot.memory_mib() for bot in bots}
        every = (options.every_ms[0], options.every_ms[1])
        for turn in range(options.turns):
            for bot in bots:
                await asked(client, [bot] * options.acts, every)
            table(f"One bot after the other, turn {turn + 1}", bots, memory)
            await asked(client, interleaved(bots, options.acts), every)
            table(f"Interleaved, turn {turn + 1}", bots, memory)
    finally:
        for bot in bots:
            if isinstance(bot, Bot) and hasattr(bot, "process"):
                bot.stop()
        server.terminate()
        if options.keep:
            print(folder, file=sys.stderr)
        else:
            shutil.rmtree(folder)


def main():
    arguments = argparse.ArgumentParser(description="The round trip of a durable act on IRC, beside the echo of other bots.")
    arguments.add_argument("--rulekeeper", default=str(pathlib.Path("target/release/rulekeeper").resolve()), help="the program")
    arguments.add_argument("--ngircd", default=shutil.which("ngircd") or "/usr/sbin/ngircd", help="the server's program")
    arguments.add_argument("--limnoria", default=shutil.which("limnoria"), help="Limnoria's program; without it it is left out")
    arguments.add_argument("--sopel", default=shutil.which("sopel"), help="Sopel's program; without it it is left out")
    arguments.add_argument("--acts", type=int, default=1000, help="acts of each bot in a turn (1000)")
    arguments.add_argument("--turns", type=int, default=3, help="how often all of it is done (3)")
    arguments.add_argument("--every-ms", type=float, nargs=2, default=(20, 50), help="shortest and longest pause before an act (20 50)")
    arguments.add_argument("--rest", type=float, default=30, help="seconds of rest before memory is read (30)")
    arguments.add_argument("--keep", action="store_true", help="keep the folder with the logs")
    asyncio.run(measure(arguments.parse_args()))


if __name__ == "__main__":
    main()
