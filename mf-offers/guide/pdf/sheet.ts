import PDFDocument from 'pdfkit';
import { colors, type FontName, fonts, page, type Type } from './look.ts';

export type Structure = PDFKit.PDFStructureElement;

/** `scope` is missing from the types of pdfkit. */
type ElementOptions = Parameters<PDFKit.PDFDocument['struct']>[1] & { readonly scope?: 'Column' | 'Row' };

export interface SheetOptions {
  readonly title: string;
  readonly subject: string;
  readonly author: string;
  readonly date: Date;
}

/**
 * The document that is being set, and how far down the current page it is. What a screen reader shall read is
 * drawn through `tagged`, everything else through `decoration`.
 */
export class Sheet {
  readonly document: PDFKit.PDFDocument;
  readonly structure: Structure;
  /** Where the next line begins, in points from the upper edge. */
  y: number = page.top;
  #drawFrame: () => void = () => undefined;

  constructor({ title, subject, author, date }: SheetOptions) {
    this.document = new PDFDocument({
      size: [page.width, page.height],
      margin: 0,
      autoFirstPage: false,
      bufferPages: true,
      pdfVersion: '1.7',
      lang: 'en-US',
      tagged: true,
      displayTitle: true,
      // A fixed date, from which the file's identifier is made too: equal text gives equal bytes.
      info: { Title: title, Subject: subject, Author: author, Creator: author, CreationDate: date, ModDate: date },
    });
    for (const [name, file] of Object.entries(fonts)) this.document.registerFont(name, file);
    this.structure = this.document.struct('Document', { title });
    this.document.addStructure(this.structure);
  }

  /** Begins a page; from now on, pages that text runs over to get the same frame. */
  begin(drawFrame: () => void): void {
    this.#drawFrame = drawFrame;
    this.turn();
  }

  /** Goes on below a double line; pages from the next one on get this frame. */
  continueWith(drawFrame: () => void): void {
    this.#drawFrame = drawFrame;
    this.y += 22;
    this.decoration(() => this.doubleRule(page.edge, page.right, this.y, colors.margin));
    this.y += 30;
  }

  turn(): void {
    this.document.addPage();
    this.decoration(this.#drawFrame);
    this.y = page.top;
  }

  /** Turns the page where there is no room for so many points. */
  ensureRoom(height: number): void {
    if (this.y + height > page.bottom) this.turn();
  }

  /** Number of the page that is being set, from 1. */
  get pageNumber(): number {
    return this.document.bufferedPageRange().count;
  }

  use(
    { font, size }: { readonly font: FontName; readonly size: number },
    color: string = colors.ink,
  ): PDFKit.PDFDocument {
    return this.document.font(font).fontSize(size).fillColor(color);
  }

  widthOf(text: string, type: Pick<Type, 'font' | 'size'>): number {
    return this.use(type).widthOfString(text);
  }

  /** Writes one line, its baseline at `y`. */
  write(text: string, x: number, y: number, type: Pick<Type, 'font' | 'size'>, color: string = colors.ink): void {
    this.use(type, color).text(text, x, y, { lineBreak: false, baseline: 'alphabetic' });
  }

  /** Writes one line that ends at `right`. */
  writeBefore(text: string, right: number, y: number, type: Pick<Type, 'font' | 'size'>, color?: string): void {
    this.write(text, right - this.widthOf(text, type), y, type, color);
  }

  rule(x1: number, y1: number, x2: number, y2: number, color: string, width = 0.75): void {
    this.document.moveTo(x1, y1).lineTo(x2, y2).lineWidth(width).strokeColor(color).stroke();
  }

  /** The double line that closes an account. */
  doubleRule(x1: number, x2: number, y: number, color: string): void {
    this.rule(x1, y, x2, y, color);
    this.rule(x1, y + 2.5, x2, y + 2.5, color);
  }

  /** Adds an element to the document's structure. It has to be ended by whoever asked for it. */
  element(parent: Structure, kind: string, options: ElementOptions = {}): Structure {
    const element = this.document.struct(kind, options);
    parent.add(element);
    return element;
  }

  /** Draws what a screen reader skips. */
  decoration(draw: () => void): void {
    this.document.markContent('Artifact', { type: 'Layout' });
    draw();
    this.document.endMarkedContent();
  }

  /** What makes a link part of the document's structure, with its words for whoever can't see it. */
  linkOptions(element: Structure, words: string): PDFKit.Mixins.AnnotationOption {
    const options = { structParent: element, Contents: new String(words) };
    return options as object;
  }
}
