// The common parts of map files in XML. Pure.

/** Characters that XML 1.0 cannot have, unpaired surrogates among them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is they that are looked for
const NO_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|\p{Surrogate}/gu;
const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function escapeXml(text: string): string {
  return text.replace(NO_XML, '\ufffd').replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? sign);
}
