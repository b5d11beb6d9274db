// What the page needs of the browser.

import type { StopStore } from './model/stops';
import type { Socket } from './model/stream';

/** Null in a browser that stores nothing. */
export function sessionStore(): StopStore | null {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

/** Connects to the station that served the page. */
export function dialStation(): Socket {
  return new WebSocket(`${location.origin.replace(/^http/, 'ws')}/api/v1/stream?name=page`);
}
