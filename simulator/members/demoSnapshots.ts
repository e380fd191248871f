// Which events of the demo ask for pictures: a new installation asks for none, since each costs mobile data.
import { EVENT_TYPES_PATH, type EventTypeContent, type EventTypeRecord } from '../../shared/protocol/api/eventTypes.ts';
import type { BuiltInCode } from '../../shared/protocol/events/builtInTypes.ts';
import type { DemoSession } from './demoSession.ts';

/** Channels of the road and the cabin, on vehicles that have both. */
const CHANNELS: Partial<Record<BuiltInCode, readonly number[]>> = {
  emergency: [1, 3],
  'phone-use': [3],
  fatigue: [3],
  'harsh-braking': [1],
};
/** Version of a type that nobody has changed. */
const FIRST_VERSION = 1;

/** Sets up the demo's snapshots; what somebody set in an earlier run stays. */
export async function setDemoSnapshots(administrator: Pick<DemoSession, 'get' | 'send'>): Promise<void> {
  const types = await administrator.get<readonly EventTypeRecord[]>(EVENT_TYPES_PATH);
  for (const { code, version, isBuiltIn, unit, hasRule, ...content } of types ?? []) {
    const snapshotChannels = isBuiltIn ? CHANNELS[code as BuiltInCode] : undefined;
    if (snapshotChannels === undefined || version !== FIRST_VERSION) continue;
    const changed: EventTypeContent & { readonly version: number } = { ...content, snapshotChannels, version };
    await administrator.send('PUT', `${EVENT_TYPES_PATH}/${code}`, changed);
  }
}
