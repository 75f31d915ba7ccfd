const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML, also for attribute values between quotes of either kind. */
export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

/** HTML that is safe to send as it is. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Content of a template: text, which is escaped, HTML, which is not, or nothing. */
export type Content = Html | string | number | false | null | undefined | readonly Content[];

function render(content: Content): string {
  if (content === undefined || content === null || content === false) return '';
  if (content instanceof Html) return content.text;
  return typeof content === 'object' ? content.map(render).join('') : escapeHtml(String(content));
}

/** HTML template; escapes all values except those made by this template. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + render(contents[index])).join(''));
}
