// The form of a task as data: ids as texts, numbers as inputs hold them, null where nothing is typed. Pure.
import type {
  FirmwareTargets,
  FirmwareTask,
  FirmwareTaskContent,
} from '../../../../shared/protocol/api/firmware/tasks.ts';
import type { WeekSchedule } from '../../../../shared/protocol/api/weekWindows.ts';
import type { IgnitionCondition } from '../../../../shared/protocol/firmware/firmwareWords.ts';
import type { Problems } from '../../../../shared/ui/form/formState.ts';

export interface TaskDraft {
  readonly name: string;
  /** Id; '' until one is selected. */
  readonly image: string;
  readonly devices: readonly string[];
  readonly deviceGroups: readonly string[];
  readonly model: string;
  readonly installedVersion: string;
  readonly window: WeekSchedule;
  /** yyyy-MM-dd; '' for none, NO_DAY while the typed text isn't a day. */
  readonly fromDay: string;
  readonly toDay: string;
  readonly parkedMinutes: number | null;
  readonly ignition: IgnitionCondition;
  readonly unwatched: boolean;
  readonly minimumSignal: number | null;
  readonly needsPlan: boolean;
  readonly concurrency: number | null;
  readonly canaries: readonly string[];
  /** Percentages, separated by commas. */
  readonly stages: string;
  readonly requiredPercent: number | null;
  readonly abortDevices: number | null;
  readonly abortPercent: number | null;
  readonly pauseMinutes: number | null;
}

export const NO_DAY = 'no-day';

export const NEW_TASK: TaskDraft = {
  name: '',
  image: '',
  devices: [],
  deviceGroups: [],
  model: '',
  installedVersion: '',
  window: [],
  fromDay: '',
  toDay: '',
  parkedMinutes: 5,
  ignition: 'any',
  unwatched: true,
  minimumSignal: null,
  needsPlan: true,
  concurrency: 10,
  canaries: [],
  stages: '10, 50, 100',
  requiredPercent: 95,
  abortDevices: 2,
  abortPercent: 10,
  pauseMinutes: 60,
};

export function draftOfTask(task: FirmwareTask): TaskDraft {
  const { name, devices, model, installedVersion, window, fromDay, toDay } = task;
  const { ignition, unwatched, needsPlan, concurrency, canaries } = task;
  const { requiredPercent, abortDevices, abortPercent, pauseMinutes } = task;
  return {
    name,
    devices,
    model,
    installedVersion,
    window,
    fromDay,
    toDay,
    ignition,
    unwatched,
    needsPlan,
    concurrency,
    canaries,
    requiredPercent,
    abortDevices,
    abortPercent,
    pauseMinutes,
    image: String(task.image),
    deviceGroups: task.deviceGroups.map(String),
    parkedMinutes: task.parkedMinutes || null,
    minimumSignal: task.minimumSignal || null,
    stages: task.stages.join(', '),
  };
}

/** The content of a draft without problems. */
export function contentOfDraft(draft: TaskDraft): FirmwareTaskContent {
  const { fromDay, toDay, ignition, unwatched, needsPlan } = draft;
  return {
    ...targetsOfDraft(draft),
    name: draft.name.trim(),
    window: [...draft.window],
    fromDay,
    toDay,
    ignition,
    unwatched,
    needsPlan,
    canaries: [...draft.canaries],
    stages: stagesOf(draft.stages) ?? [],
    parkedMinutes: draft.parkedMinutes ?? 0,
    minimumSignal: draft.minimumSignal ?? 0,
    concurrency: draft.concurrency ?? 0,
    requiredPercent: draft.requiredPercent ?? 0,
    abortDevices: draft.abortDevices ?? 0,
    abortPercent: draft.abortPercent ?? 0,
    pauseMinutes: draft.pauseMinutes ?? 0,
  };
}

export function targetsOfDraft(
  draft: Pick<TaskDraft, 'image' | 'devices' | 'deviceGroups' | 'model' | 'installedVersion'>,
): FirmwareTargets {
  return {
    image: Number(draft.image),
    devices: [...draft.devices],
    deviceGroups: draft.deviceGroups.map(Number),
    model: draft.model.trim(),
    installedVersion: draft.installedVersion.trim(),
  };
}

const MOST_STAGES = 10;
const WHOLE = 100;

/** Rising percentages that end with 100; undefined for anything else. */
export function stagesOf(text: string): number[] | undefined {
  const parts = text
    .normalize('NFKC')
    .split(/[,、\s]+/)
    .filter((part) => part !== '');
  if (parts.length === 0 || parts.length > MOST_STAGES) return undefined;
  if (!parts.every((part) => /^\d{1,3}%?$/.test(part))) return undefined;
  const stages = parts.map((part) => Number.parseInt(part, 10));
  const rises = stages.every((percent, at) => percent > (stages[at - 1] ?? 0));
  return rises && stages.at(-1) === WHOLE ? stages : undefined;
}

export interface TaskTexts {
  readonly noName: string;
  readonly noImage: string;
  readonly badStages: string;
  readonly badDay: string;
  readonly endsTooEarly: string;
  readonly range: (minimum: number, maximum: number) => string;
}

interface NumberBounds {
  readonly minimum: number;
  readonly maximum: number;
  /** An empty field is 0, which stands for no condition. */
  readonly isOptional?: boolean;
}

const BOUNDS = {
  parkedMinutes: { minimum: 0, maximum: 1_440, isOptional: true },
  minimumSignal: { minimum: 0, maximum: 31, isOptional: true },
  concurrency: { minimum: 1, maximum: 100 },
  requiredPercent: { minimum: 0, maximum: 100 },
  abortDevices: { minimum: 1, maximum: 1_000 },
  abortPercent: { minimum: 1, maximum: 100 },
  pauseMinutes: { minimum: 0, maximum: 10_080 },
} as const satisfies Partial<Record<keyof TaskDraft, NumberBounds>>;

export function checkTask(draft: TaskDraft, texts: TaskTexts): Problems<TaskDraft> {
  const numbers = (Object.keys(BOUNDS) as (keyof typeof BOUNDS)[]).map(
    (name) => [name, numberProblem(draft[name], BOUNDS[name], texts)] as const,
  );
  return {
    ...(Object.fromEntries(numbers) as Problems<TaskDraft>),
    name: draft.name.trim() === '' ? texts.noName : undefined,
    image: draft.image === '' ? texts.noImage : undefined,
    stages: stagesOf(draft.stages) === undefined ? texts.badStages : undefined,
    fromDay: draft.fromDay === NO_DAY ? texts.badDay : undefined,
    toDay: lastDayProblem(draft, texts),
  };
}

function lastDayProblem({ fromDay, toDay }: TaskDraft, texts: TaskTexts): string | undefined {
  if (toDay === NO_DAY) return texts.badDay;
  const isSpan = fromDay !== '' && fromDay !== NO_DAY && toDay !== '';
  return isSpan && toDay < fromDay ? texts.endsTooEarly : undefined;
}

function numberProblem(value: number | null, bounds: NumberBounds, { range }: TaskTexts): string | undefined {
  const { minimum, maximum, isOptional = false } = bounds;
  if (value === null) return isOptional ? undefined : range(minimum, maximum);
  return Number.isInteger(value) && value >= minimum && value <= maximum ? undefined : range(minimum, maximum);
}
