import { capital } from './units';

/** A simulated fault, as people read it. */
export interface FaultName {
  group: 'Link' | 'Sensors' | 'Wheels' | 'Power and surroundings';
  name: string;
  what: string; // happens; empty: see the robot's own text
}

const sensors: Record<string, string> = { lidar: 'Lidar', imu: 'IMU', bumpers: 'Bumpers', cliffs: 'Cliff sensors', encoders: 'Wheel encoders' };
const others: Record<string, FaultName> = {
  link: { group: 'Link', name: 'Link to the station', what: 'Nothing is sent or received for a while.' },
  stuck_motor: { group: 'Wheels', name: 'motor stuck', what: 'It keeps its speed, whatever is ordered.' },
  blocked_wheel: { group: 'Wheels', name: 'wheel blocked', what: 'It does not turn, although its motor pulls.' },
  lying_encoder: { group: 'Wheels', name: 'encoder wrong', what: 'It counts half of the true distance.' },
  low_battery: { group: 'Power and surroundings', name: 'Low battery', what: 'The level falls to 10 % at once.' },
  removed_charger: { group: 'Power and surroundings', name: 'Charger removed', what: 'A person takes the charger away.' },
  picked_up: { group: 'Power and surroundings', name: 'Picked up', what: 'A person lifts the robot.' },
};
const plain = (word: string) => word.replaceAll('_', ' ');

/** `dead_sensor.range.front_left`: `Range sensor, front left`. Of other names, the words. */
export function faultName(id: string): FaultName {
  const [kind = '', subject = '', place = ''] = id.split('.');
  if (kind === 'dead_sensor') return { group: 'Sensors', name: subject === 'range' ? `Range sensor, ${plain(place)}` : (sensors[subject] ?? capital(plain(subject))), what: 'It gives no readings.' };
  const known = others[kind];
  if (known) return { ...known, name: capital(`${subject} ${known.name}`.trim()) };
  return { group: 'Sensors', name: capital(plain(id.replaceAll('.', ' '))), what: '' };
}
