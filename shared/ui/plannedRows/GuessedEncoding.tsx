import Alert from '@mui/material/Alert';
import { useTranslation } from 'react-i18next';
import { type ImportEncoding, OFFERED_ENCODINGS } from '../../protocol/api/imports/importEncodings.ts';

export interface GuessedEncodingProps {
  readonly encoding: ImportEncoding;
  /** Names in the rows, as they were read. */
  readonly names: readonly string[];
}

const MAX_SHOWN = 3;
// biome-ignore lint/suspicious/noControlCharactersInRegex: every other character than those of ASCII shows the encoding
const OTHER_THAN_ASCII = /[^\u0000-\u007f]/;

/** Asks whether the names of a file that doesn't say its encoding are right. */
export function GuessedEncoding({ encoding, names }: GuessedEncodingProps) {
  const { t } = useTranslation('Common');
  const telling = names.filter((name) => OTHER_THAN_ASCII.test(name));
  const shown = (telling.length > 0 ? telling : names).slice(0, MAX_SHOWN).join(', ');
  const name = OFFERED_ENCODINGS.find((each) => each.encoding === encoding)?.name ?? encoding;
  return (
    <Alert severity="warning">
      {t(
        "The file doesn't say its encoding. It was read as {{encoding}}: {{names}}. If the names are wrong, select another encoding.",
        { encoding: name, names: shown },
      )}
    </Alert>
  );
}
