// The variables that templates may use. Page and gateway read this list, so that a variable which is offered is one that is filled.

/** `text`: as people read it, in the message's language. `code`: the same in every language, for programs. */
type VariableKind = 'text' | 'code' | 'number' | 'time' | 'address';

export interface TemplateVariable {
  readonly name: string;
  readonly kind: VariableKind;
  /** What it may be filled with, in English. */
  readonly example: string;
}

const variables = {
  'event.id': { kind: 'number', example: '48213' },
  'event.type': { kind: 'text', example: 'Speeding' },
  'event.typeCode': { kind: 'code', example: 'speeding' },
  'event.severity': { kind: 'text', example: 'Critical' },
  'event.severityCode': { kind: 'code', example: 'critical' },
  'event.begin': { kind: 'time', example: '2026-11-23 08:15:00' },
  'event.beginIso': { kind: 'time', example: '2026-11-23T00:15:00.000Z' },
  'event.end': { kind: 'time', example: '2026-11-23 08:17:30' },
  'event.status': { kind: 'text', example: 'New' },
  'event.value': { kind: 'text', example: '92 km/h' },
  'event.limit': { kind: 'text', example: '80 km/h' },
  'event.count': { kind: 'number', example: '1' },
  'event.unit': { kind: 'text', example: 'ch 2' },
  'event.area': { kind: 'text', example: 'North yard' },
  'event.driver': { kind: 'text', example: 'Chen Ming' },
  'event.speed': { kind: 'text', example: '92 km/h' },
  'event.place': { kind: 'text', example: '24.123456, 121.123456' },
  'event.link': { kind: 'address', example: 'https://fleet.example.com/historyevent?event=48213' },
  'device.id': { kind: 'code', example: 'BUS-012' },
  'device.name': { kind: 'text', example: 'Bus 12' },
  'device.plate': { kind: 'text', example: 'ABC-1234' },
  'device.group': { kind: 'text', example: 'North depot' },
  'rule.name': { kind: 'text', example: 'Critical events' },
  'step.number': { kind: 'number', example: '1' },
  'recipient.name': { kind: 'text', example: 'Ann Lin' },
  'message.key': { kind: 'code', example: '0198c1de-2f6b-7c3a-9d4e-5b6f70819203' },
  'message.sentIso': { kind: 'time', example: '2026-11-23T00:15:02.000Z' },
  'site.title': { kind: 'text', example: 'Fleetglass' },
  'digest.count': { kind: 'number', example: '1' },
  'digest.lines': { kind: 'text', example: '2026-11-23 08:15:00 Speeding, Bus 12' },
} as const satisfies Readonly<Record<string, Omit<TemplateVariable, 'name'>>>;

export type VariableName = keyof typeof variables;
export type VariableValues = Readonly<Record<VariableName, string>>;

export const TEMPLATE_VARIABLES = Object.entries(variables).map(([name, rest]) => ({
  name: name as VariableName,
  ...rest,
})) satisfies readonly TemplateVariable[];

export function isVariable(name: string): name is VariableName {
  return Object.hasOwn(variables, name);
}
