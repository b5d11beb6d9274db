/** Abbreviations of the page, with what they mean. */
const terms: Record<string, string> = {
  RM0: 'Run mode 0, off: everything has stopped; a person has to start the robot again',
  RM1: 'Run mode 1, waiting: the robot stands still until something wakes it',
  RM2: 'Run mode 2, autonomous: the robot drives itself',
  RM3: 'Run mode 3, remote control: the robot is driven from the station',
  RM4: 'Run mode 4: the robot shuts down to restart',
  RM5: 'Run mode 5: the robot restarts',
  CM0: 'Com mode 0: no connection',
  CM1: 'Com mode 1: the robot only sends',
  CM2: 'Com mode 2: the robot only receives',
  CM3: 'Com mode 3: the robot sends and receives',
  dBm: 'Signal strength in decibels of a milliwatt; closer to 0 is stronger',
  IMU: 'Inertial measurement unit: measures rotation and acceleration',
  MCAP: 'File format of Foxglove, Lichtblick and ROS',
  alog: 'Text log that MOOS tools read',
  delta: 'Only the changes since the last message are sent',
  quantised: 'Numbers are rounded to a few bits',
  run_length: 'Equal neighboring cells are sent as one number and a count',
  compressed: 'Compressed with zstd',
  full: 'Everything, as it was measured',
  raw: 'Every cell, as it is stored',
  half: 'Half the width and height',
  gray: 'Half the width and height, without color',
  motor_driver: 'The driver of the motors reports a failure',
  encoder_disagreement: 'The wheels turned otherwise than the motors were driven: an encoder, a motor or a wheel is faulty or blocked',
  missed_deadlines: 'The computer of the robot was too slow to control the motors in time, and halted them',
  sensor_dead: 'A sensor that driving needs gives no readings',
  battery_critical: 'The battery is almost empty',
  motors_not_cut: 'The power of the motors was cut, but the body did not confirm it',
  guard_silent: 'The program that guards the motors does not answer',
};

export interface TextPart {
  text: string;
  title?: string; // what the abbreviation means
}

const abbreviation = new RegExp(`\\b(${Object.keys(terms).filter((term) => /[A-Z]/.test(term)).join('|')})\\b`);

export const meaningOf = (term: string): string => terms[term] ?? '';

/** A text in parts, of which the abbreviations have a meaning. Plain words, such as encodings, have none here. */
export function withTerms(text: string): TextPart[] {
  return text
    .split(abbreviation)
    .filter((part) => part !== '')
    .map((part) => (abbreviation.test(part) ? { text: part, title: meaningOf(part) } : { text: part }));
}
