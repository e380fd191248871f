// Fields that several calls take.
import { Type } from 'typebox';

/** One line of text: no control characters, which PostgreSQL, logs and headers each take badly in their own way. */
const ONE_LINE = '^[^\\u0000-\\u001f\\u007f]*$';

export const ShortText = Type.String({ minLength: 1, maxLength: 256, pattern: ONE_LINE });
