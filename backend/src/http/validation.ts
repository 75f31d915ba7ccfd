import { type PipeTransform, StandardSchemaValidationPipe } from '@nestjs/common';
import * as z from 'zod';
import { ExpectedError } from '../errors.ts';

// The contract's zod/mini comes without messages; without a language every one of them reads "Invalid input".
z.config(z.locales.en());

interface Problem {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The request does not fit its schema. */
export class ValidationError extends ExpectedError {
  constructor(problems: readonly Problem[]) {
    super('VALIDATION_FAILED', [...new Set(problems.map(describe).map(sentence))].join(' '));
  }
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

function describe({ message, path = [], ...problem }: Problem): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  // A message that is a sentence of its own was written for the visitor, who knows nothing of fields.
  const standsAlone = message.endsWith('.') || message.startsWith(place);
  if (place !== '') return standsAlone ? message : `${place}: ${message}`;
  // Only bodies are objects. Parameters are texts, and their messages name them.
  const isBody = 'expected' in problem && problem.expected === 'object';
  return isBody ? 'body: a JSON object is needed, sent with the content type application/json' : message;
}

/** Checks bodies, path and query parameters against the schema that their decorator names. */
export function validationPipe(): PipeTransform {
  return new StandardSchemaValidationPipe({ exceptionFactory: (issues) => new ValidationError(issues) });
}
