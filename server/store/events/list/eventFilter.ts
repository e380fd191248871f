import type { EventStatus, Severity } from '../../../../shared/protocol/events/eventWords.ts';

/** Whose events are seen: those of the devices that a member group owns, and those of the gateway itself. */
export interface EventScope {
  readonly memberGroup: number;
  readonly seesGateway: boolean;
}

export interface EventFilter {
  /** In the device's id, name and plate, and in the driver's name; '' for none. */
  readonly search: string;
  readonly deviceIds?: readonly string[] | undefined;
  /** Serial numbers of device groups. */
  readonly groups?: readonly number[] | undefined;
  readonly types?: readonly string[] | undefined;
  readonly severities?: readonly Severity[] | undefined;
  readonly statuses?: readonly EventStatus[] | undefined;
  /** User name; '' for nobody. */
  readonly assignee?: string | undefined;
  readonly isLate?: boolean | undefined;
  /** With recordings, pictures or files, with none of them, or with recordings. */
  readonly media?: 'any' | 'none' | 'video' | undefined;
  readonly isLasting?: boolean | undefined;
  /** Half open, of the begin. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}
