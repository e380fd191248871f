// Options that are selected, by their values. Pure.
import { listText } from '../../i18n/listText.ts';
import type { Option } from './SelectInput.tsx';

/** What is selected and isn't there any more stays to be seen. */
export function selectedOptions(
  options: readonly Option<string>[],
  values: readonly string[],
): readonly Option<string>[] {
  const known = new Map(options.map((option) => [option.value, option]));
  return values.map((value) => known.get(value) ?? { value, label: value });
}

export function labelsOf(options: readonly Option<string>[], values: readonly string[]): string {
  return listText(selectedOptions(options, values).map(({ label }) => label));
}
