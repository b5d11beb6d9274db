/** A word of a command in double quotes, so that it arrives unchanged whatever is in it: `\"` and `\\` are the only escapes. */
export const quoted = (text: string): string => `"${text.replace(/["\\]/g, '\\$&')}"`;
