import type { Model } from '../template/resolve.ts';

/** A Firehose delivery stream as the templates describe it. */
export interface DeliveryStreamDefinition {
  readonly name: string;
  /** Whether Firehose ends each record with a line break (processor `AppendDelimiterToRecord`). */
  readonly appendsDelimiter: boolean;
}

/** Reads every delivery stream. */
export function readDeliveryStreams(model: Model): DeliveryStreamDefinition[] {
  return model.resources('AWS::KinesisFirehose::DeliveryStream').map((stream) => {
    const processing = stream.property('ExtendedS3DestinationConfiguration', 'ProcessingConfiguration') as
      | ProcessingConfiguration
      | undefined;
    const processors = processing?.Enabled === true ? (processing.Processors ?? []) : [];
    return {
      name: stream.value(),
      appendsDelimiter: processors.some(({ Type }) => Type === 'AppendDelimiterToRecord'),
    };
  });
}

interface ProcessingConfiguration {
  readonly Enabled?: boolean;
  readonly Processors?: readonly { readonly Type: string }[];
}
