import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commandFor, doubtAbout, edges, mayFollow, obstacleToDriving, runModes } from './modes';
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
  assert.match(obstacleToDriving(status({ run_mode: 'RM1' }), 'drive'), /RM1/);
});
