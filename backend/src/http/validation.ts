import {
  type PipeTransform,
  StandardSchemaValidationPipe,
  type StandardSchemaValidationPipeOptions,
} from '@nestjs/common';
import * as z from 'zod';
import { ExpectedError } from '../errors.ts';

// The contract's zod/mini has no messages: without a locale each of them reads "Invalid input".
z.config(z.locales.en());

type ValidationIssues = Parameters<NonNullable<StandardSchemaValidationPipeOptions['exceptionFactory']>>[0];

/** The request does not match its schema. */
export class ValidationError extends ExpectedError {
  constructor(issues: ValidationIssues) {
    super('VALIDATION_FAILED', [...new Set(issues.map(describe).map(sentence))].join(' '));
  }
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

function describe({ message, path = [], ...issue }: ValidationIssues[number]): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  // A message that is a complete sentence is meant for the visitor, who does not know field names.
  const standsAlone = message.endsWith('.') || message.startsWith(place);
  if (place !== '') return standsAlone ? message : `${place}: ${message}`;
  // Only bodies are objects. Parameters are strings, and their messages name them.
  const isBody = 'expected' in issue && issue.expected === 'object';
  return isBody ? 'body: a JSON object is needed, sent with the content type application/json' : message;
}

const parsedBodies = new WeakMap<
  object,
  { readonly schema: z.core.$ZodType; readonly result: z.ZodSafeParseResult<unknown> }
>();

/** Parses a request's body once, however many ask: rate limits read the email in it before the handler does. */
export function parseBody<Schema extends z.core.$ZodType>(body: unknown, schema: Schema) {
  const isObject = typeof body === 'object' && body !== null;
  const known = isObject ? parsedBodies.get(body) : undefined;
  const result = known?.schema === schema ? known.result : z.safeParse(schema, body);
  if (isObject) parsedBodies.set(body, { schema, result });
  return result as z.ZodSafeParseResult<z.infer<Schema>>;
}

class RequestValidationPipe extends StandardSchemaValidationPipe {
  /** Needless, and the larger part of the time that a body of empty arrays takes: handlers get what a schema returns. */
  protected override stripProtoKeys(): void {}

  /** Parameters are texts: an object is the body. */
  protected override validate<Value>(value: unknown, schema: z.core.$ZodType) {
    const { error, data } = parseBody(value, schema);
    return error ? { issues: error.issues } : { value: data as Value };
  }
}

/** Validates bodies, path and query parameters against the schema in their decorator. */
export function validationPipe(): PipeTransform {
  return new RequestValidationPipe({ exceptionFactory: (issues) => new ValidationError(issues) });
}
