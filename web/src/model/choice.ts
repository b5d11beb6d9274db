import type { Report, TypeName } from './sections';

export const nameOf = (type: TypeName): string => type.supported_type_name || type.ros_type_name;
const names = (types: TypeName[]): string => types.map(nameOf).join(' and ');

/** Why a topic is sent as it is, in sentences. */
export function whyChosen(report: Report): string[] {
  if (report.demands.length === 0) return ['No one has subscribed, so that nothing is sent.'];
  if (!report.success) return ['No encoding suits all subscribers.'];
  const said: string[] = [];
  const chosen = report.offers.filter((offer) => offer.chosen);
  said.push(
    `${names(chosen.map(({ type }) => type))}: ${chosen.length === 1 ? 'one encoding is' : `${chosen.length} encodings are`} enough for all subscribers, with a weight of ${report.weight} in total.`,
  );
  for (const offer of chosen) if (offer.only_for) said.push(`${nameOf(offer.type)} has to be there: nothing else suits ${offer.only_for}.`);
  if (report.runner_up) {
    const { types, more_types, less_weight } = report.runner_up;
    const costs = more_types > 0 ? `needs ${more_types} more` : `has a total weight that is lower by ${less_weight}`;
    said.push(`The next best, ${names(types)}, ${costs}.`);
  }
  if (report.kept) said.push('Something better is not worth the cost of a switch.');
  if (report.switching) said.push('It is on its way from the old encodings to these.');
  if (!report.proven) said.push('The time for the search ended before this was proven to be the best.');
  return said;
}
