import { MediaQuery } from 'svelte/reactivity';

/** Whether the page is shown on a phone, which has no keys and whose controls must be in reach of the thumb. */
export const phone = new MediaQuery('max-width: 720px');

/** Whether the page is as low as on a phone that lies on its side. */
export const low = new MediaQuery('max-height: 500px');
