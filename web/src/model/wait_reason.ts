import type { Status, WaitReason } from './messages';

/** Why a robot in RM1 waits, or null if it is in another mode or has sent no telemetry. */
export const waitReason = (status: Status | null | undefined): WaitReason | null => status?.waits_for ?? null;
