import SearchIcon from '@mui/icons-material/Search';
import OutlinedInput from '@mui/material/OutlinedInput';
import { useEffect, useEffectEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { readStored, writeStored } from '../i18n/browserStorage.ts';

const SEARCH_KEY = 'search';

const ICON_INSIDE = { position: 'absolute', left: 10, color: 'text.secondary', pointerEvents: 'none' } as const;
// A fifth of the window, and the field itself is as wide as its frame: the icon lies on top of it.
const FIELD = {
  minWidth: 150,
  width: '20vw',
  flexShrink: 0,
  pl: 0,
  '& input': { pl: 4.5, boxSizing: 'border-box', height: 38 },
} as const;

export interface SearchProps {
  /** A text from outside: each change of it replaces what stands in the field and in the storage. */
  readonly text?: string | undefined;
  /** Called with the restored text once, if there is one, and with the whole text at each keystroke. */
  readonly onSearch: (text: string) => void;
}

export function SearchInput({ text, onSearch }: SearchProps) {
  const { t } = useTranslation('TopBar');
  const [value, setValue] = useState(() => text ?? readStored(SEARCH_KEY) ?? '');
  const [lastGiven, setLastGiven] = useState(text);
  if (text !== lastGiven) {
    setLastGiven(text);
    if (text !== undefined) setValue(text);
  }
  const restore = useEffectEvent(() => {
    if (text === undefined && value !== '') onSearch(value);
  });
  useEffect(() => restore(), []);
  useEffect(() => {
    if (text !== undefined) writeStored(SEARCH_KEY, text);
  }, [text]);

  const type = (typed: string) => {
    setValue(typed);
    writeStored(SEARCH_KEY, typed);
    onSearch(typed);
  };
  return (
    <OutlinedInput
      size="small"
      type="search"
      value={value}
      onChange={(event) => type(event.target.value)}
      placeholder={t('Search')}
      inputProps={{ 'aria-label': t('Search') }}
      startAdornment={<SearchIcon fontSize="small" aria-hidden="true" sx={ICON_INSIDE} />}
      sx={FIELD}
    />
  );
}
