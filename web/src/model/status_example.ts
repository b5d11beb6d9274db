import type { Status } from './messages';

/** A robot that is connected and steered by its station, for tests. */
export const status = (fields: Partial<Status> = {}): Status => ({
  mode: 'run1',
  why: '',
  since: 100,
  groups: [],
  address: null,
  role: 'admin',
  driver: '',
  presence: 'live',
  stale: false,
  run_mode: 'RM3',
  com_mode: 'CM3',
  ...fields,
});
