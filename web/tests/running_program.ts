import assert from 'node:assert/strict';
import { execFileSync, spawn, type ChildProcess } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import WebSocket from 'ws';
import { readMessage, type Sections, type WatchedView } from '../src/model/messages';
import { apply, nothing } from '../src/model/picture';

/** Writes the configuration of a robot `rover` that explores and calls this station; returns the file. */
export function writeRobot(folder: string, station: RunningProgram): string {
  const port = /robots call at \S+:(\d+)/.exec(station.lines.join('\n'))?.[1];
  assert.ok(port, station.lines.join('\n'));
  const file = join(folder, 'rover.toml');
  writeFileSync(
    file,
    `name = "rover"\nDefaultRunMode = 2\nDefaultComMode = 3\nSendPort = ${port}\nReceivePort = 0\nServerIP = "127.0.0.1"\n` +
      `log = '${join(folder, 'log')}'\n[link]\nplain = true\nrecord = '${join(folder, 'link')}'\n`,
  );
  return file;
}

// A folder without keys: a robot that is paired, by the user who runs the tests, would start stopped.
process.env.CARIBOU_KEYS ??= resolve('../build/web-test/keys');

export const program = process.env.CARIBOU_PROGRAM ?? resolve('../build/caribou');

/** `caribou demo`, or anything of it that has a page, as it runs. */
export class RunningProgram {
  private constructor(
    private readonly process: ChildProcess,
    readonly address: string,
    readonly lines: string[], // that it printed up to its address
  ) {}

  /** The address that lets a browser drive: what `caribou page` prints. */
  get entry(): string {
    return execFileSync(program, ['page', '--station', this.address.replace('http://', '')], { encoding: 'utf8' }).trim();
  }

  static async start(...words: string[]): Promise<RunningProgram> {
    const started = spawn(program, words, { stdio: ['ignore', 'pipe', 'inherit'] });
    let address = '';
    const lines: string[] = [];
    for await (const line of createInterface({ input: started.stdout })) {
      lines.push(line);
      address = /http:\/\/\S+(?=\/)/.exec(line)?.[0] ?? '';
      if (address) break;
    }
    assert.ok(address, 'it says where it is');
    started.stdout.resume();
    return new RunningProgram(started, address, lines);
  }

  /** The process that runs this part of it. */
  part(word: string): number {
    const children = readFileSync(`/proc/${this.process.pid}/task/${this.process.pid}/children`, 'utf8').trim().split(' ');
    const is = (id: string) => readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')[1] === word;
    const found = children.find(is);
    assert.ok(found, `${word} runs`);
    return Number(found);
  }

  ask(path: string, headers: Record<string, string> = {}): Promise<IncomingMessage & { text: string }> {
    return new Promise((done, fail) => {
      get(`${this.address}${path}`, { headers }, (response) => {
        let text = '';
        response.on('data', (part) => (text += part));
        response.once('end', () => done(Object.assign(response, { text })));
      }).once('error', fail);
    });
  }

  /** What the station knows of a robot, asked for without the page. */
  async robot(name = 'rover'): Promise<Sections> {
    const state = JSON.parse((await this.ask('/api/v1/state')).text) as { robots: Record<string, Sections> };
    return state.robots[name] ?? {};
  }

  /** Waits until what the station tells makes it true; `views` of the robot are watched meanwhile. */
  async until(what: string, is: (robot: Sections) => boolean, seconds = 60, views: WatchedView[] = []): Promise<Sections> {
    const socket = new WebSocket(`${this.address.replace(/^http/, 'ws')}/api/v1/stream?name=test`);
    let known = nothing;
    try {
      return await new Promise<Sections>((done, fail) => {
        const rover = () => (known.robots.rover ?? {}) as Sections;
        const late = setTimeout(() => {
          const { status, motion } = rover();
          fail(new Error(`not in ${seconds} s: ${what}; it is ${JSON.stringify({ status, motion })}`));
        }, seconds * 1000);
        if (views.length > 0) socket.once('open', () => socket.send(JSON.stringify({ type: 'watch', robots: ['rover'], views, rate: 5 })));
        socket.once('error', fail).once('close', () => clearTimeout(late));
        socket.on('message', (text) => {
          const message = readMessage(String(text));
          if (message) known = apply(known, message);
          if (known.complete && is(rover())) done(rover());
        });
      });
    } finally {
      socket.close();
    }
  }

  signal(name: NodeJS.Signals): void {
    this.process.kill(name);
  }

  async end(): Promise<void> {
    const ended = new Promise((done) => this.process.once('exit', done));
    this.process.kill('SIGINT');
    assert.equal(await ended, 0, 'it ends in good order');
  }
}
