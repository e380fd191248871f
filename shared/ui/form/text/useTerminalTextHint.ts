import { useTranslation } from 'react-i18next';
import { charactersBeyondGbk } from '../../../protocol/codec/gbk.ts';

/** Maximum number of characters that are named; if there are more, the first ones tell enough. */
const MOST_NAMED = 10;

/** A hint for a text for terminals, while it is written: which of its characters don't reach them. `usual`: the hint otherwise. */
export function useTerminalTextHint(): (text: string, usual?: string) => string | undefined {
  const { t } = useTranslation('Form');
  return (text, usual) => {
    const lost = charactersBeyondGbk(text);
    if (lost.length === 0) return usual;
    return t("Terminals can't show {{characters}}. They get ? instead.", {
      characters: lost.slice(0, MOST_NAMED).join(' '),
    });
  };
}
