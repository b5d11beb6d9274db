import { velocityOfStick } from './movement';

/** What is read of a gamepad with the standard layout. */
export interface PadReading {
  axes: readonly number[]; // the left stick first: x to the right, y down
  buttons: readonly { pressed: boolean }[];
}

export interface PadOrder {
  movement: string | null; // a velocity, or HALT; null: the pad neither holds nor releases anything
  stop: boolean; // the stop button was pressed since the last reading
}

/**
 * A gamepad as a dead man's switch: the left stick holds a velocity as long as it is deflected. It counts only after it has
 * been seen in its middle, so that a stick that is held while the window is left, or while another pad is connected,
 * moves nothing when the window is entered again.
 */
export class GamepadDrive {
  private armed = false;
  private holds = false;
  private stopHeld = false;

  static readonly stopButton = 1; // B, or the circle

  /** `allowed`: the page has the focus and commands can work. */
  read(pad: PadReading | null, allowed: boolean): PadOrder {
    const stopHeld = pad?.buttons[GamepadDrive.stopButton]?.pressed ?? false;
    const stop = stopHeld && !this.stopHeld;
    this.stopHeld = stopHeld;
    const movement = pad ? velocityOfStick(pad.axes[0] ?? 0, -(pad.axes[1] ?? 0)) : 'HALT';
    if (!pad || !allowed || stop) this.armed = false;
    else if (movement === 'HALT') this.armed = true;
    const moves = this.armed && movement !== 'HALT';
    const released = this.holds && !moves;
    this.holds = moves;
    return { movement: moves ? movement : released ? 'HALT' : null, stop };
  }
}
