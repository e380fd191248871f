import { useTranslation } from 'react-i18next';
import type { TemplateProblem } from '../../../shared/protocol/notify/templateProblems.ts';
import type { ProblemTexts, TextPart } from './templateForm.ts';

export function useProblemTexts(): ProblemTexts {
  const { t } = useTranslation('Template');
  const textOf = (problem: TemplateProblem, part: TextPart): string => {
    switch (problem.code) {
      case 'required':
        return part === 'subject' ? t('Enter a subject.') : t('Enter a text.');
      case 'unknown-variable':
        return t("Line {{line}}: there's no variable {{name}}. Select one from the list.", { ...problem });
      case 'malformed-variable':
        return t('Line {{line}}: check the braces at {{name}}', { ...problem });
      case 'variable-outside-text':
        return t('Line {{line}}: put {{name}} between double quotes.', { ...problem });
      case 'not-json':
        return t('Line {{line}}: not JSON. Check quotes, commas, and braces.', { ...problem });
    }
  };
  return { noName: t('Enter a name.'), of: textOf };
}
