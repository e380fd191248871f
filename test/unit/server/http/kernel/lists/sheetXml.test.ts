import { expect, it } from 'vitest';
import { sheetHead, sheetRow, workbookParts } from '../../../../../../server/http/kernel/lists/sheet/sheetXml.ts';

/** Reads a text like programs that read spreadsheets (ST_Xstring, ECMA-376 part 1, 22.9.2.19). */
function readText(xml: string): string {
  const [, text = ''] = /<t [^>]*>([^<]*)</.exec(xml) ?? [];
  return text.replaceAll(/_x([\dA-Fa-f]{4})_/g, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}

it.each(['_x0031_', '_x0031_x0032_', '__x0031__', '_X00e9_', '_x005F_', '_x31_', 'a_b', '_x005F_x0031_'])(
  'a cell with the text %s is read as it was written',
  (text) => {
    expect(readText(sheetRow([text], 2))).toBe(text);
    expect(readText(sheetHead([{ title: text, width: 10 }]))).toBe(text);
  },
);

it('the name of a sheet stands for itself, too', () => {
  expect(workbookParts('_x0031_', 1)['xl/workbook.xml']).toContain('name="_x005F_x0031_"');
});
