import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inkOn, legible, meanColor } from './legible';

test('MeanColor.WeighsPixelsByTheirOpacity', () => {
  assert.equal(meanColor([0, 0, 0, 255, 200, 100, 50, 255]), 'rgb(100 50 25)');
  assert.equal(meanColor([0, 0, 0, 0, 200, 100, 50, 128]), 'rgb(200 100 50)');
  assert.equal(meanColor([9, 9, 9, 0]), null);
  assert.equal(meanColor([]), null);
});

test('InkOn.IsBlackOrWhite', () => {
  assert.equal(inkOn('rgb(250 240 200)'), '#000000');
  assert.equal(inkOn('#123456'), '#ffffff');
});

test('Legible.MovesAColorOnlyIfItCannotBeToldFromTheGround', () => {
  assert.equal(legible('#ffffff', '#0064ff', inkOn('#0064ff')), '#ffffff');
  assert.notEqual(legible('#ffffff', '#d3e5ef', '#16202b'), '#ffffff');
});
