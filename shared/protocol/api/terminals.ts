// Terminals that wait to be let in: what the calls of /api/devicegroup/terminals say.
import * as Type from 'typebox/type';
import { SentDeviceFields } from './devices.ts';
import { Count, closed, Nullable, type RecordOf, Text, Timestamp } from './records.ts';

export const TERMINALS_PATH = '/api/devicegroup/terminals';

/** A terminal that was refused: unknown, or with another identity than its device was adopted with. */
export const WaitingTerminal = Type.Object({
  terminal: Text,
  edition: Text,
  manufacturer: Text,
  model: Text,
  terminalId: Text,
  plate: Text,
  address: Text,
  firstSeenAtMs: Timestamp,
  lastSeenAtMs: Timestamp,
  attempts: Count,
  /** The device whose identity an approval would change; null for an unknown terminal. */
  device: Nullable(Type.Object({ deviceid: Text, name: Text, manufacturer: Text, terminalId: Text })),
  /** 0 unless somebody refused it. */
  refusedAtMs: Timestamp,
  refusedBy: Text,
});
export type WaitingTerminal = RecordOf<typeof WaitingTerminal>;

export const WaitingTerminals = Type.Array(WaitingTerminal);

const Given = Type.String({ maxLength: 256 });

/** What was shown of the terminal: it is let in as this and as nothing else. */
export const ShownTerminal = Type.Object({ terminal: Given, manufacturer: Given, terminalId: Given }, closed);
export type ShownTerminal = RecordOf<typeof ShownTerminal>;

/** The address counts where the device has the identity already: it is what is approved then. */
export const TerminalApproval = Type.Object({ ...ShownTerminal.properties, address: Type.Optional(Given) }, closed);
export type TerminalApproval = RecordOf<typeof TerminalApproval>;

export const TerminalAdoption = Type.Object(
  { ...ShownTerminal.properties, deviceid: Given, device: SentDeviceFields },
  closed,
);
export type TerminalAdoption = RecordOf<typeof TerminalAdoption>;
