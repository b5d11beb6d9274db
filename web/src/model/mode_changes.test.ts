import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Mark, ModeChange } from './messages';
import { replayedChanges, shownChanges } from './mode_changes';

const changes: ModeChange[] = [
  { at: 1, what: 'run_mode', from: 'RM2', to: 'RM3', why: 'requested by page#3' },
  { at: 1.5, what: 'run_mode', from: 'RM3', to: 'RM2', why: 'requested by page#2' },
  { at: 2, what: 'run_mode', from: 'RM3', to: 'RM1(WaitingToReceive)', why: '' },
  { at: 2, what: 'com_mode', from: 'CM3', to: 'CM1', why: '' },
  { at: 3, what: 'link', from: 'run1', to: 'wait', why: 'no heartbeat for 3 s' },
  { at: 4, what: 'run_mode', from: 'RM1(WaitingToReceive)', to: 'RM0', why: 'sensor_dead' },
];

test('ModeChanges.AreShownInPlainWordsTheNewestFirst', () => {
  assert.deepEqual(
    shownChanges(changes, 'page#3').map(({ at, what, from, to, why }) => `${at} ${what}: ${from} > ${to} | ${why}`),
    [
      '4 run mode: Waiting (RM1): Waiting to receive > Off (RM0) | a sensor that it needs gives no readings',
      '3 session: Connected > Waiting | no heartbeat for 3 s',
      '2 link of the robot: both ways (CM3) > only sends (CM1) | ',
      '2 run mode: Remote control (RM3) > Waiting (RM1): Waiting to receive | ',
      '1.5 run mode: Remote control (RM3) > Autonomous (RM2) | requested by a page',
      '1 run mode: Autonomous (RM2) > Remote control (RM3) | requested by this page',
    ],
  );
});

test('ModeChanges.OfAReplayAreItsMarksUpToTheTimeThatIsShown', () => {
  const mark = (at: number, kind: Mark['kind'], text: string, robot = 'rover'): Mark => ({ at, kind, text, robot });
  const marks = [mark(1, 'mode', 'run mode RM3 (before: RM2)'), mark(2, 'stop', 'stopped'), mark(2, 'link', 'connected', 'bee'), mark(3, 'link', 'connection lost'), mark(9, 'mode', 'later')];
  assert.deepEqual(replayedChanges(marks, 'rover', 5), [{ at: 3, text: 'connection lost' }, { at: 1, text: 'run mode RM3 (before: RM2)' }]);
});
