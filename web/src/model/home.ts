/** The view of an address that names none: the map of the only robot, or the wall of maps of several. */
export const homeView = (robots: number): 'drive' | 'fleet' => (robots === 1 ? 'drive' : 'fleet');
