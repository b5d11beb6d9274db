import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DeadMan } from './dead_man';

const forward = 'move movement=MOVE_FW_2 ttl=400ms';

test('DeadMan.SendsAtOnceAndRenewsWhileHeld', () => {
  const man = new DeadMan();
  assert.equal(man.hold('MOVE_FW_2', 0), forward);
  assert.equal(man.due(DeadMan.every - 1), null);
  assert.equal(man.due(DeadMan.every), forward);
  assert.ok(DeadMan.every * 2 < DeadMan.life, 'one renewal may be lost');
});

test('DeadMan.HaltsAtOnceWhenLetGo', () => {
  const man = new DeadMan();
  man.hold('MOVE_FW_2', 0);
  assert.equal(man.letGo(), 'move movement=HALT');
  assert.equal(man.letGo(), null, 'and says so once');
  assert.equal(man.due(10_000), null);
});

test('DeadMan.SendsAnotherMovementAtOnce', () => {
  const man = new DeadMan();
  man.hold('MOVE_FW_2', 0);
  assert.equal(man.hold('MOVE_FW_3', 10), 'move movement=MOVE_FW_3 ttl=400ms');
  assert.equal(man.hold('MOVE_FW_3', 20), null, 'a key that repeats is no other movement');
});

test('DeadMan.SendsAVelocityThatChangesAllTheTimeTwentyTimesPerSecond', () => {
  const man = new DeadMan();
  assert.equal(man.hold('forward=0.01 turn=0.00', 0), 'drive forward=0.01 turn=0.00 ttl=400ms');
  const sent: number[] = [];
  for (let now = 1; now <= 500; now += 1) {
    if (man.hold(`forward=0.${String(now).padStart(3, '0')} turn=0.00`, now)) sent.push(now);
    else if (man.due(now)) sent.push(now);
    if (sent.at(-1) === now) man.answered(false);
  }
  assert.deepEqual(sent, [50, 100, 150, 200, 250, 300, 350, 400, 450, 500]);
  assert.equal(man.hold('MOVE_FW_1', 510), 'move movement=MOVE_FW_1 ttl=400ms', 'a key counts at once');
  assert.equal(man.letGo(), 'move movement=HALT');
});

test('DeadMan.PausesWhileNothingIsAnswered', () => {
  const man = new DeadMan();
  let sent = man.hold('MOVE_FW_2', 0) ? 1 : 0;
  for (let now = 0; now < 5000; now += 50) if (man.due(now)) sent += 1;
  assert.equal(sent, DeadMan.mostUnanswered);
  assert.equal(man.letGo(), 'move movement=HALT', 'a halt goes out all the same');
  man.answered(false);
  assert.ok(man.hold('MOVE_FW_1', 6000));
});

test('DeadMan.LetsGoWhenItIsRefused', () => {
  const man = new DeadMan();
  man.hold('MOVE_FW_2', 0);
  man.answered(true);
  assert.equal(man.holds, 'HALT');
  assert.equal(man.due(1000), null);
});

test('DeadMan.IgnoresWhatWasHeldSinceBeforeARefusalUntilItIsLetGo', () => {
  const man = new DeadMan();
  man.hold('forward=0.45 turn=0.00', 0);
  man.answered(true);
  assert.ok(man.ignores);
  assert.equal(man.hold('forward=0.45 turn=0.00', 50), null, 'a stick is read all the time');
  assert.equal(man.hold('forward=0.30 turn=0.10', 100), null, 'it moves a little');
  assert.equal(man.letGo(), null, 'the robot is halted already');
  assert.ok(!man.ignores);
  assert.ok(man.hold('forward=0.45 turn=0.00', 200));
});

test('DeadMan.IgnoresNothingIfNothingWasHeldWhenTheRefusalCame', () => {
  const man = new DeadMan();
  man.hold('MOVE_FW_2', 0);
  man.letGo();
  man.answered(true);
  assert.equal(man.hold('MOVE_FW_2', 100), forward, 'the next press counts');
});

test('DeadMan.IgnoresWhatIsHeldThroughAnInterruptionAndALostConnection', () => {
  for (const ended of [(man: DeadMan) => assert.equal(man.interrupt(), 'move movement=HALT'), (man: DeadMan) => man.reset()]) {
    const man = new DeadMan();
    man.hold('MOVE_FW_2', 0);
    ended(man);
    assert.equal(man.interrupt(), null, 'once');
    assert.equal(man.hold('MOVE_FW_3', 100), null);
    man.letGo();
    assert.ok(man.hold('MOVE_FW_2', 200));
  }
});
