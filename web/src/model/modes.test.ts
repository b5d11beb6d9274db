import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandFor, doubtAbout, edges, endOfAutopilot, linkReason, mayFollow, obstacleToDriving, releaseEffect, runModes } from './modes';
import { status } from './status_example';

test('Modes.EveryCommandedWayIsAnEdgeOfTheDiagram', () => {
  for (const { mode } of runModes)
    for (const next of mayFollow(mode))
      if (mode !== 'init') assert.ok(edges.some(([a, b]) => a === mode && b === next), `${mode} > ${next}`);
});

test('Modes.LeadNowhereFromOffAndReboot', () => {
  assert.deepEqual([...mayFollow('RM0'), ...mayFollow('RM5')], []);
});

test('Modes.CommandForWaitCarriesReasonAndTime', () => {
  assert.equal(commandFor('RM3'), 'set_run_mode mode=RM3');
  assert.equal(commandFor('RM1', 'TimedSleep', 60), 'set_run_mode mode=RM1 reason=TimedSleep time=60s');
  assert.equal(commandFor('RM2', 'TimedSleep', 60), 'set_run_mode mode=RM2', 'others take none');
});

test('Modes.DoubtServerModeWithoutAWholeLink', () => {
  assert.match(doubtAbout('RM3', status({ com_mode: 'CM1' })), /needs CM3/);
  assert.equal(doubtAbout('RM3', status({})), '');
});

test('ObstacleToDriving.NamesTheFirstThingToMend', () => {
  assert.equal(obstacleToDriving(status({}), 'drive'), '');
  assert.match(obstacleToDriving(status({}), 'observe'), /observe and stop/);
  assert.match(obstacleToDriving(status({ mode: 'wait', why: 'the link was lost' }), 'drive'), /link was lost/);
  assert.match(obstacleToDriving(status({ stopped: true }), 'drive'), /release/);
  assert.match(obstacleToDriving(status({ run_mode: 'RM2' }), 'drive'), /take over/);
  assert.match(obstacleToDriving(status({ run_mode: 'RM1' }), 'drive'), /^It cannot be driven now: it stands still .* \(RM1\)\.$/);
  const { run_mode: _, ...blind } = status({ presence: 'no_telemetry' });
  assert.equal(obstacleToDriving(blind, 'drive'), '', 'a robot that only receives is driven, too');
});

test('Modes.AreAllOfferedWhenTheModeIsNotKnown', () => {
  assert.deepEqual(mayFollow(undefined), ['RM2', 'RM3', 'RM1', 'RM0', 'RM5']);
});

test('Modes.SayWhatTheReleaseOfAStopLeadsTo', () => {
  assert.equal(releaseEffect(status({ run_mode: 'RM2' })), 'it will drive on by itself');
  assert.equal(releaseEffect(status({ run_mode: 'RM3' })), '');
  assert.equal(releaseEffect(status({ run_mode: 'RM1', waits_for: 'TimedSleep' })), 'it may drive by itself when it wakes up');
  assert.match(releaseEffect(status({ run_mode: 'RM3' }), false), /not known: it may drive by itself/);
  assert.match(releaseEffect(null), /not known/);
});

test('Modes.TellTheReasonOfTheLinkFromThatOfAnAutopilotThatHasEnded', () => {
  const lost = status({ mode: 'wait', why: 'no heartbeat for 3 s' });
  assert.equal(linkReason(lost), 'no heartbeat for 3 s');
  assert.equal(endOfAutopilot(lost), '');
  const ended = status({ mode: 'run1', why: 'autopilot: the battery is low' });
  assert.equal(linkReason(ended), '', 'nothing is wrong with the link');
  assert.equal(endOfAutopilot(ended), 'the battery is low');
});
