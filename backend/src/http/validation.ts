import { StandardSchemaValidationPipe, type StandardSchemaValidationPipeOptions } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import * as z from 'zod';
import { ExpectedError } from '../errors.ts';

// The contract's zod/mini has no messages: without a locale each of them reads "Invalid input".
z.config(z.locales.en());

type ValidationIssues = Parameters<NonNullable<StandardSchemaValidationPipeOptions['exceptionFactory']>>[0];

class ValidationError extends ExpectedError {
  constructor(issues: ValidationIssues) {
    super('VALIDATION_FAILED', [...new Set(issues.map(describe).map(sentence))].join(' '));
  }
}

const sentence = (text: string) => (text.endsWith('.') ? text : `${text}.`);

/** A message that is a complete sentence is meant for the visitor, who does not know field names. */
function describe({ message, path = [], ...issue }: ValidationIssues[number]): string {
  const place = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
  const standsAlone = message.endsWith('.') || message.startsWith(place);
  if (place !== '') return standsAlone ? message : `${place}: ${message}`;
  // Only bodies are objects. Parameters are strings, and their messages name them.
  const isBody = 'expected' in issue && issue.expected === 'object';
  return isBody ? 'body: a JSON object is needed, sent with the content type application/json' : message;
}

/** Replaces the body by what the schema of its call returns. @throws ValidationError */
export function parseBody(request: FastifyRequest, schema: z.core.$ZodType): void {
  const { data, error } = z.safeParse(schema, request.body);
  if (error) throw new ValidationError(error.issues);
  request.body = data;
}

/** Validates path and query parameters against the schema in their decorator. */
export const validationPipe = () =>
  new StandardSchemaValidationPipe({ exceptionFactory: (issues) => new ValidationError(issues) });
