import type { Report } from './sections';

/** For tests: a scan that is offered whole and as differences, and two who read it. */
export function report(topic: string): Report {
  const type = (supported_type_name: string) => ({ ros_type_name: 'std_msgs/msg/String', supported_type_name });
  const offer = (name: string, chosen: boolean) => ({
    type: type(name),
    weight: 1,
    compatible: false,
    usable: true,
    chosen,
    total_weight: chosen ? 5 : 3,
    listed_by: 2,
    only_for: '',
    readers: chosen ? 2 : 0,
    sent: chosen ? 812 : 0,
    spared: chosen ? 0 : 812,
  });
  const demand = (who: string, served: boolean) => ({
    who,
    wants: [
      { type: type('full'), weight: 1, offered: true },
      { type: type('delta'), weight: 2, offered: true },
    ],
    served_by: served ? [type('delta')] : [],
    unserved: served ? '' : 'it lists nothing that is offered',
    refused: 0,
  });
  return {
    topic,
    started: true,
    success: true,
    weight: 5,
    at_least: 1,
    proven: true,
    kept: false,
    switching: false,
    negotiations: 3,
    results_sent: 3,
    switches: 1,
    sent: 812,
    spared: 812,
    offers: [offer('full', false), offer('delta', true)],
    demands: [demand('station', true), demand('recorder', true)],
    runner_up: { types: [type('full')], more_types: 0, less_weight: 2, proven: true },
    saved_bytes_per_second: 5400,
  };
}
