import type { CameraImage } from '../generated/data';

/** How the camera of a robot is shown; `off`: it is not requested, so that the robot takes no picture. */
export type EyeChoice = 'full' | 'half' | 'gray' | 'off';

export const eyeChoices: readonly { choice: EyeChoice; name: string; title: string }[] = [
  { choice: 'full', name: 'Full', title: 'In color, in the size of the camera' },
  { choice: 'half', name: 'Half', title: 'In color, half of the width and height' },
  { choice: 'gray', name: 'Gray', title: 'Without color, half of the width and height' },
  { choice: 'off', name: 'Off', title: 'The robot takes no picture for this page' },
];

/** The choice that was kept, or the default. */
export const readEyeChoice = (text: string | null): EyeChoice => eyeChoices.find(({ choice }) => choice === text)?.choice ?? 'full';

export interface EyeFacts {
  choice: EyeChoice;
  token: boolean; // this page may see cameras
  image: CameraImage | null;
  obstacle: string; // why no image can arrive; empty: one can
  now: number; // s, by the station's clock
  replayed: boolean;
}

/** What the panel shows: `picture` is drawn, gray if it is old; `text` explains what is missing. */
export interface EyeState {
  picture: boolean;
  old: boolean;
  text: string;
}

/** Age in seconds at which an image is not of the present any more. */
export const staleImage = 1;

const seconds = (age: number): string => `${Math.round(Math.max(1, age))} s`;

/** Whether an image is of the present is decided by its own age: a robot without telemetry may send images. */
export function eyeState({ choice, token, image, obstacle, now, replayed }: EyeFacts): EyeState {
  const missing = (text: string): EyeState => ({ picture: false, old: false, text });
  if (!token) return missing('Viewing the camera needs a token: open the address that `caribou page` prints.');
  if (choice === 'off') return missing('Off: the robot takes no picture for this page.');
  if (image?.problem) return missing(image.problem);
  if (!image?.jpeg) {
    if (replayed) return missing('No image was recorded up to here.');
    return missing(obstacle ? `No image: ${obstacle}.` : 'Waiting for the first image.');
  }
  const age = now - image.at;
  // The clock of a replay jumps, and images may be recorded slowly.
  if (replayed) return age > 3 ? { picture: true, old: true, text: `Recorded ${seconds(age)} before` } : { picture: true, old: false, text: '' };
  if (age > staleImage) return { picture: true, old: true, text: `Not live: ${seconds(age)} old` };
  return { picture: true, old: false, text: '' };
}
