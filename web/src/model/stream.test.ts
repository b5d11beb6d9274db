import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Message, Request } from './messages';
import { Stream, type Socket } from './stream';

class PlayedSocket implements Socket {
  onopen: Socket['onopen'] = null;
  onmessage: Socket['onmessage'] = null;
  onclose: Socket['onclose'] = null;
  sent: string[] = [];
  opens(): void {
    this.onopen?.({} as never);
  }
  hears(data: unknown): void {
    this.onmessage?.({ data } as MessageEvent);
  }
  ends(reason = '', code = 1006): void {
    this.onclose?.({ code, reason } as CloseEvent);
  }
  closed = false;
  send(text: string): void {
    this.sent.push(text);
  }
  close(): void {
    this.closed = true;
  }
}

function rig() {
  const sockets: PlayedSocket[] = [];
  const states: string[] = [];
  const messages: Message[] = [];
  const clock = { now: 0 };
  const dial = () => {
    sockets.push(new PlayedSocket());
    return sockets.at(-1)!;
  };
  const stream = new Stream(dial, () => clock.now, {
    onState: (state) => states.push(state.is),
    onMessage: (message) => messages.push(message),
  });
  return { stream, sockets, states, messages, clock };
}

test('Stream.SendsOnlyWhileItIsOpen', () => {
  const { stream, sockets } = rig();
  const watch: Request = { type: 'watch', robots: [], views: [], rate: 5 };
  stream.open();
  assert.equal(stream.send(watch), false);
  sockets[0]!.opens();
  assert.equal(stream.send(watch), true);
  assert.deepEqual(sockets[0]!.sent, ['{"type":"heartbeat","sent":0}', '{"type":"watch","robots":[],"views":[],"rate":5}']);
});

test('Stream.ComesBackLaterAndLater', () => {
  const { stream, sockets, clock } = rig();
  stream.open();
  for (const pause of [...Stream.pauses, Stream.pauses.at(-1)!]) {
    const dialed = sockets.length;
    sockets.at(-1)!.ends();
    clock.now += pause - 1;
    stream.tick();
    assert.equal(sockets.length, dialed, 'not yet');
    clock.now += 1;
    stream.tick();
    assert.equal(sockets.length, dialed + 1);
  }
  sockets.at(-1)!.hears('{"type":"error","text":"hello"}');
  sockets.at(-1)!.ends();
  clock.now += Stream.pauses[0]!;
  stream.tick();
  assert.equal(stream.state.is, 'connecting', 'at once, after it was heard');
});

test('Stream.StaysClosedWhenItIsClosedOnPurpose', () => {
  const { stream, sockets, clock, states } = rig();
  stream.open();
  const socket = sockets[0]!;
  socket.opens();
  stream.close();
  assert.equal(socket.closed, true);
  assert.equal(socket.onclose, null, 'whatever it says then is not heard');
  clock.now += 60_000;
  stream.tick();
  assert.equal(sockets.length, 1);
  assert.deepEqual(states, ['connecting', 'open', 'closed']);
});

test('Stream.TellsWhyItWasLost', () => {
  const { stream, sockets } = rig();
  stream.open();
  sockets[0]!.ends('the station goes down');
  assert.deepEqual(stream.state, { is: 'lost', why: 'the station goes down', retryAt: 500 });
});

test('Stream.SkipsWhatIsNoMessage', () => {
  const { stream, sockets, messages } = rig();
  stream.open();
  for (const data of ['nonsense', new ArrayBuffer(1), '{"type":"error","text":"x"}'])
    sockets[0]!.hears(data);
  assert.equal(messages.length, 1);
});

test('Stream.LosesAStationThatIsSilentThoughItsSocketIsOpen', () => {
  const { stream, sockets, clock } = rig();
  stream.open();
  sockets[0]!.opens();
  clock.now = 2900;
  sockets[0]!.hears('{"type":"state","full":false,"now":1,"robots":{}}');
  clock.now = 5800;
  stream.tick();
  assert.equal(stream.state.is, 'open');
  clock.now = 5900;
  stream.tick();
  assert.deepEqual(stream.state, { is: 'lost', why: 'the station has been silent for 3 s', retryAt: 6400 });
  assert.equal(sockets[0]!.closed, true);
  clock.now = 6400;
  stream.tick();
  assert.equal(sockets.length, 2);
  clock.now = 9400;
  stream.tick();
  assert.equal(stream.state.is, 'lost', 'a handshake that never ends is silence, too');
});

test('Stream.BeatsAtOnceAndOnceASecondWithItsTime', () => {
  const { stream, sockets, clock } = rig();
  stream.open();
  sockets[0]!.opens();
  for (clock.now = 50; clock.now <= 2500; clock.now += 50) {
    sockets[0]!.hears('{"type":"state","full":false,"now":1,"robots":{}}');
    stream.send({ type: 'stop_all', id: clock.now });
    stream.tick();
  }
  assert.deepEqual(
    sockets[0]!.sent.filter((text) => text.includes('heartbeat')),
    [0, 1, 2].map((sent) => `{"type":"heartbeat","sent":${sent}}`),
  );
});

test('Stream.NamesTheReasonOfAStationThatHasTooManyClients', () => {
  const { stream, sockets, clock } = rig();
  stream.open();
  sockets[0]!.opens();
  sockets[0]!.ends('too many clients (limit 64).', 1013);
  const longest = Stream.pauses.at(-1)!;
  assert.deepEqual(stream.state, { is: 'lost', why: 'too many clients (limit 64)', retryAt: clock.now + longest });
  clock.now += longest;
  stream.tick();
  assert.deepEqual(stream.state, { is: 'connecting', after: 'too many clients (limit 64)' });
  sockets[1]!.ends('', 1013);
  assert.equal((stream.state as { why: string }).why, 'too many clients are connected');
});
