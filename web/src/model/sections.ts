// Data of a robot that is watched: docs/formats/station-api.md. A robot that has no bus, no
// cubes or no world leaves out what belongs to them.

import type { RunMode } from './messages';

export type {
  BehaviorCondition as Condition,
  BehaviorNode,
  BehaviorsSection as Behaviors,
  BehaviorState,
  BusSection as Bus,
  BusVariable as Variable,
  CubesSection as Cubes,
  HealthSection as Health,
  PlanSection as Plan,
  RoomMap,
  RobotTopic as Report,
  SeenCube as Cube,
  TopicsSection as Topics,
  TopicType as TypeName,
} from '../generated/data';

export const modeName = (mode: number): RunMode => `RM${mode}` as RunMode;
