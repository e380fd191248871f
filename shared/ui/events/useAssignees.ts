import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { findEventAssignees } from '../../api/events.ts';
import type { EventAssignee } from '../../protocol/api/events.ts';
import type { Option } from '../form/SelectInput.tsx';
import { useRecord } from '../records/useRecord.ts';
import { useSettled } from '../records/useSettled.ts';
import { useSession } from '../session.ts';

const SEARCH_PAUSE_MS = 250;

export interface FoundAssignees {
  readonly options: readonly Option<string>[];
  readonly isLoading: boolean;
  readonly search: (text: string) => void;
}

/** Who is found for what is typed; the user first, as most take events on themselves. */
export function useAssignees(): FoundAssignees {
  const { t } = useTranslation('Events');
  const session = useSession();
  const own = session.kind === 'signed-in' ? session.status.username : '';
  const [typed, search] = useState('');
  const text = useSettled(typed, SEARCH_PAUSE_MS);
  const { value = [], isLoading } = useRecord({
    key: ['event-assignees', text],
    load: (signal) => findEventAssignees(text, signal),
    keepsOther: true,
  });
  const optionOf = ({ username, displayName }: EventAssignee): Option<string> => {
    const name = displayName === '' || displayName === username ? username : `${displayName} (${username})`;
    return { value: username, label: username === own ? t('{{name}} (you)', { name }) : name };
  };
  const options = [...value].sort((left, right) => Number(right.username === own) - Number(left.username === own));
  return { options: options.map(optionOf), isLoading, search };
}
