import type { CameraEncoding, Request, WatchedView } from './messages';

/** The sections that the station sends besides the status, the motion and the route of every robot. */
export interface Wanted {
  robots: readonly string[];
  views: readonly WatchedView[];
  rate: number; // Hz
  camera?: CameraEncoding; // preferred
}

type WatchRequest = Request & { type: 'watch' };

/**
 * The only source of watch requests. Each request replaces the one before it, so that two sources would
 * overwrite each other: views state what they want, and this decides whether a request is due.
 */
export class Watch {
  private requested = '';

  static readonly mostRobots = 100; // the limit of the station

  /** Returns the request to send now, or null if the station has received it already. */
  due({ robots, views, rate, camera }: Wanted): WatchRequest | null {
    const request: WatchRequest = { type: 'watch', robots: robots.slice(0, Watch.mostRobots), views: [...views], rate, ...(camera && { camera }) };
    const text = JSON.stringify(request);
    if (text === this.requested) return null;
    this.requested = text;
    return request;
  }

  /** A new connection watches nothing. */
  reset(): void {
    this.requested = '';
  }
}
