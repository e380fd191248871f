import { useMemo } from 'react';
import { getShownFences } from '../../../../shared/api/fences.ts';
import type { Option } from '../../../../shared/ui/form/SelectInput.tsx';
import { useRecord } from '../../../../shared/ui/records/useRecord.ts';

/** Fences of the member group that are in force. */
export function useFenceOptions(): readonly Option<string>[] {
  const { value } = useRecord({ key: ['shown-fences'], load: getShownFences, changedBy: ['fence'] });
  return useMemo(() => (value ?? []).map(({ id, name }) => ({ value: String(id), label: name })), [value]);
}
