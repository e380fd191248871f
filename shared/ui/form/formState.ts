// A form as data: what was there, what is typed, and what is wrong with it. No React here.

/** A sentence for each field that is not as it must be. Parts of a field are named by their path: `steps.1.addresses`. */
export type Problems<Values> = { readonly [Name in keyof Values]?: string | undefined } & {
  readonly [path: `${string}.${string}`]: string | undefined;
};

export interface FormState<Values> {
  /** What is saved; a form that differs from it has unsaved changes. */
  readonly base: Values;
  readonly values: Values;
  /** Fields that were left once: before that, an empty field shows no problem. */
  readonly visited: ReadonlySet<string>;
  /** Saving was tried: every field says what is wrong with it. */
  readonly isTried: boolean;
  /** What the gateway refused, by field, until the field changes. */
  readonly refused: Problems<Values>;
  /** What went wrong beyond the fields. */
  readonly failure: string | undefined;
  readonly isSaving: boolean;
  /** Counts the times that saving stopped at a field, to put the focus there once each time. */
  readonly stops: number;
}

export type FormEvent<Values> =
  | { readonly type: 'change'; readonly part: Partial<Values> }
  | { readonly type: 'visit'; readonly name: string }
  | { readonly type: 'stop' }
  | { readonly type: 'save' }
  | { readonly type: 'refuse'; readonly fields: Problems<Values>; readonly failure: string | undefined }
  /** Saved, or reset: `values` are what is saved now. */
  | { readonly type: 'settle'; readonly values: Values }
  /** Somebody else changed the record: `base` is theirs, `values` what the user wants of both. */
  | { readonly type: 'rebase'; readonly base: Values; readonly values: Values };

export function initialForm<Values>(values: Values): FormState<Values> {
  return {
    base: values,
    values,
    visited: new Set(),
    isTried: false,
    refused: {},
    failure: undefined,
    isSaving: false,
    stops: 0,
  };
}

export function nextForm<Values>(state: FormState<Values>, event: FormEvent<Values>): FormState<Values> {
  switch (event.type) {
    case 'change':
      return {
        ...state,
        values: { ...state.values, ...event.part },
        refused: without(state.refused, Object.keys(event.part)),
      };
    case 'visit':
      return state.visited.has(event.name) ? state : { ...state, visited: new Set([...state.visited, event.name]) };
    case 'stop':
      return { ...state, isTried: true, stops: state.stops + 1 };
    case 'save':
      return { ...state, isTried: true, isSaving: true, failure: undefined, refused: {} };
    case 'refuse': {
      const stops = Object.keys(event.fields).length > 0 ? state.stops + 1 : state.stops;
      return { ...state, isSaving: false, refused: event.fields, failure: event.failure, stops };
    }
    case 'settle':
      return initialForm(event.values);
    case 'rebase':
      return { ...initialForm(event.values), base: event.base };
  }
}

/** What is shown beside the fields: the gateway's word, else ours for fields that were left or once saving was tried. */
export function shownProblems<Values>(state: FormState<Values>, problems: Problems<Values>): Problems<Values> {
  const [own, refused] = [textsOf(problems), textsOf(state.refused)];
  const shown: Record<string, string> = {};
  for (const name of Object.keys({ ...own, ...refused })) {
    const said = state.isTried || state.visited.has(name) ? own[name] : undefined;
    const text = said ?? refused[name];
    if (text !== undefined) shown[name] = text;
  }
  return shown as Problems<Values>;
}

/** What is wrong with a field, or with any part of it. */
export function problemAt<Values>(problems: Problems<Values>, path: string): string | undefined {
  const texts = textsOf(problems);
  const part = Object.keys(texts).find((name) => name.startsWith(`${path}.`) && texts[name] !== undefined);
  return texts[path] ?? (part === undefined ? undefined : texts[part]);
}

function textsOf<Values>(problems: Problems<Values>): Readonly<Record<string, string | undefined>> {
  return problems as Readonly<Record<string, string | undefined>>;
}

export function hasProblem<Values>(problems: Problems<Values>): boolean {
  return Object.values(problems).some((text) => text !== undefined);
}

export function isDirty<Values>(state: FormState<Values>): boolean {
  return !sameValue(state.base, state.values);
}

/** Whether two values of a form are the same: plain data, an absent field being one without a value. */
export function sameValue(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  const [left, right] = [one as Record<string, unknown>, other as Record<string, unknown>];
  return [...names].every((name) => sameValue(left[name], right[name]));
}

function without<Values>(problems: Problems<Values>, names: readonly string[]): Problems<Values> {
  const others = Object.entries(problems).filter(([path]) => !names.some((name) => isAt(path, name)));
  return Object.fromEntries(others) as Problems<Values>;
}

/** `steps.1.addresses` is at the field `steps`. A field's own name may have dots, such as `texts.en.body`. */
export function isAt(path: string, name: string): boolean {
  return path === name || path.startsWith(`${name}.`);
}
