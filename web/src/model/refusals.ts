// Refusals of robot and station, in the words of the page. Its buttons have other names than the commands of a terminal.

/** Sentences of robot and station that name a command or a cause in other words, with those of the page. */
const sentences: [text: RegExp, plain: string][] = [
  [/it is ([\d.]+) s old; at most ([\d.]+) s are allowed/, 'the command arrived too late ($1 s old, limit $2 s)'],
  [/what is known shuts the goal off/, 'no known way leads to the goal'],
  [/(.*) drives; take_lease takes over/, '$1 has control; “Take control” takes it over'],
  [/another person has taken the lease; take_lease takes it back/, 'another person has taken control; “Take control” takes it back'],
  [/(.*) drives, and you took the lease less than 5 s ago/, '$1 has control, and you took it less than 5 s ago'],
  [/a route needs RM3: send set_run_mode mode=3 first/, 'a route needs RM3: take over first'],
];

/** What each code means, for refusals without a text. */
const meanings: Record<string, string> = {
  UNKNOWN_COMMAND: 'the robot does not know this command',
  BAD_ARGUMENT: 'the command is not complete or not valid',
  NOT_ALLOWED: 'your role does not permit it',
  NO_LEASE: 'another person has control; “Take control” takes it over',
  WRONG_MODE: 'its run mode does not permit it',
  WRONG_COM_MODE: 'the run mode requires a better link',
  ILLEGAL_TRANSITION: 'there is no way from its mode or movement to this one',
  NOTHING_WOULD_WAKE: 'nothing would wake it',
  STOPPED: 'a full stop is latched: release it first',
  UNSAFE: 'it is not safe',
  BUSY: 'it is busy',
  UNAVAILABLE: 'it has no such part, or the part does not work',
  EXPIRED: 'the command arrived too late',
  FAILED: 'it was attempted, and failed',
};

/** Why something was refused, as people read it. */
export function refusalText(code: string | null | undefined, text: string): string {
  const plain = sentences.reduce((all, [from, to]) => all.replace(from, to), text.trim());
  return plain || meanings[code ?? ''] || 'no reason was given';
}

/** What was done, as people read it: lists and the names of faults are for terminals. */
export function doneText(text: string): string {
  const line = text.trim();
  return line === '' || line.includes('\n') || /^[a-z]+_[a-z_.]+ is /.test(line) ? 'done' : line;
}
