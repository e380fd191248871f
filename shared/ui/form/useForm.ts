// A form in a component: its fields, its problems in words, and saving it.
import { useReducer, useState } from 'react';
import type { ApiResult } from '../../api/client.ts';
import { conflictingRecord, refusedFields } from '../../api/refusals.ts';
import { errorText } from '../../i18n/errorText.ts';
import {
  type FormEvent,
  type FormState,
  hasProblem,
  initialForm,
  isAt,
  isDirty,
  nextForm,
  type Problems,
  problemAt,
  shownProblems,
} from './formState.ts';
import { fieldText } from './text/fieldText.ts';
import { useUnsaved } from './unsaved.ts';

/** What an input needs of its field. */
export interface Field<Value> {
  readonly name: string;
  readonly value: Value;
  readonly onChange: (value: Value) => void;
  /** The field was left. */
  readonly onBlur: () => void;
  /** What is wrong with it, in words. */
  readonly problem: string | undefined;
  readonly disabled: boolean;
}

type FieldPart<Value> = Pick<Field<Value>, 'value' | 'onChange'>;

export interface Form<Values> {
  readonly values: Values;
  /** What is saved. */
  readonly base: Values;
  readonly isDirty: boolean;
  readonly isSaving: boolean;
  /** What went wrong beyond the fields. */
  readonly failure: string | undefined;
  readonly stops: number;
  /** The record as another user left it, unread, while a conflict waits for an answer. */
  readonly conflict: unknown;
  field<Name extends keyof Values & string>(name: Name): Field<Values[Name]>;
  /** A part of a field as inputs take it. `path` begins with the field's name, as problems name it: `steps.1.addresses`. */
  part<Value>(path: string, part: FieldPart<Value>): Field<Value>;
  change(part: Partial<Values>): void;
  /** Starts over with these values as the saved ones. */
  reset(values: Values): void;
  /** Goes on after a conflict: `base` is what is saved now. */
  rebase(base: Values, values: Values): void;
  /** Leaves the conflict unanswered; saving again brings it back. */
  dismissConflict(): void;
  /**
   * Saves what is typed unless a field has a problem. Undefined when it was not saved: what was wrong then stands
   * beside the fields, and nothing that was typed is lost.
   */
  submit<T>(save: (values: Values) => Promise<ApiResult<T>>): Promise<T | undefined>;
}

export interface FormOptions<Values> {
  readonly initial: Values;
  /** Looks at what is typed; undefined fields are as they must be. */
  readonly check?: ((values: Values) => Problems<Values>) | undefined;
  /** Whether leaving the page with changes asks first; a search form need not. */
  readonly guarded?: boolean;
}

export function useForm<Values extends object>(options: FormOptions<Values>): Form<Values> {
  const { initial, check = noProblems, guarded = true } = options;
  const [state, dispatch] = useReducer(nextForm<Values>, initial, initialForm<Values>);
  const [conflict, setConflict] = useState<unknown>();
  const problems = check(state.values);
  const shown = shownProblems(state, problems);
  const dirty = isDirty(state);
  useUnsaved(guarded && dirty);

  const submit = async <T>(save: (values: Values) => Promise<ApiResult<T>>): Promise<T | undefined> => {
    if (state.isSaving) return undefined;
    if (hasProblem(problems)) {
      dispatch({ type: 'stop' });
      return undefined;
    }
    dispatch({ type: 'save' });
    const result = await save(state.values);
    if (result.ok) {
      dispatch({ type: 'settle', values: state.values });
      return result.value;
    }
    const current = conflictingRecord(result);
    setConflict(current);
    dispatch(refusal(state, result, current !== undefined));
    return undefined;
  };
  const part = <Value>(path: string, { value, onChange }: FieldPart<Value>): Field<Value> => ({
    name: path,
    value,
    onChange,
    onBlur: () => dispatch({ type: 'visit', name: path }),
    problem: problemAt(shown, path),
    disabled: state.isSaving,
  });
  return {
    values: state.values,
    base: state.base,
    isDirty: dirty,
    isSaving: state.isSaving,
    failure: state.failure,
    stops: state.stops,
    conflict,
    submit,
    part,
    field: (name) =>
      part(name, {
        value: state.values[name],
        onChange: (value) => dispatch({ type: 'change', part: { [name]: value } as unknown as Partial<Values> }),
      }),
    change: (part) => dispatch({ type: 'change', part }),
    reset: (values) => dispatch({ type: 'settle', values }),
    rebase: (base, values) => {
      setConflict(undefined);
      dispatch({ type: 'rebase', base, values });
    },
    dismissConflict: () => setConflict(undefined),
  };
}

/** Where each part of a refusal belongs: beside its field, or above the form when no field of it is named. */
function refusal<Values extends object>(
  state: FormState<Values>,
  failure: Extract<ApiResult<unknown>, { ok: false }>,
  isConflict: boolean,
): FormEvent<Values> {
  const named = Object.entries(refusedFields(failure));
  const fields = Object.keys(state.values);
  const own = named
    .filter(([path]) => fields.some((name) => isAt(path, name)))
    .map(([name, code]) => [name, fieldText(code)]);
  const isTold = own.length > 0 && own.length === named.length;
  return {
    type: 'refuse',
    fields: Object.fromEntries(own) as Problems<Values>,
    failure: isTold || isConflict ? undefined : errorText(failure),
  };
}

function noProblems<Values>(): Problems<Values> {
  return {};
}
