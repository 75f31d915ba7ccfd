const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export const escapeHtml = (text: string) => text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? '');

export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type Content = Html | string | number | false | null | undefined | readonly Content[];

function render(content: Content): string {
  if (content === undefined || content === null || content === false) return '';
  if (content instanceof Html) return content.text;
  return typeof content === 'object' ? content.map(render).join('') : escapeHtml(String(content));
}

/** HTML template; escapes values that it did not make itself. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Html {
  return new Html(parts.map((part, index) => part + render(contents[index])).join(''));
}
