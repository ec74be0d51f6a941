package dev.weir.control.archive;

import org.jspecify.annotations.Nullable;
import software.amazon.awssdk.awscore.exception.AwsServiceException;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.s3.model.NoSuchBucketException;

/** What to say when S3 refuses something, or is not there. */
final class S3Failures {
  private static final int FORBIDDEN = 403;
  private static final int NOT_FOUND = 404;

  private S3Failures() {}

  /**
   * One line for whoever operates the service.
   *
   * @param what such as {@code read}
   */
  static ArchiveException cannot(String what, String where, SdkException failure) {
    return new ArchiveException(
        "audit.archive: cannot %s %s: %s".formatted(what, where, words(failure)), failure);
  }

  private static String words(SdkException failure) {
    String message = ArchiveException.reason(failure);
    if (failure instanceof NoSuchBucketException) {
      return "there is no such bucket";
    }
    if (failure instanceof AwsServiceException answer) {
      return switch (answer.statusCode()) {
        case FORBIDDEN -> "S3 refuses the credentials, or what they are used for (403)";
        case NOT_FOUND -> "it is not there (404)";
        default -> message;
      };
    }
    if (message.startsWith("Unable to load credentials")) {
      return "no credentials; set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE";
    }
    if (message.startsWith("Unable to load region")) {
      return "no region; set AWS_REGION";
    }
    return message;
  }

  /** The failure of S3 behind another one, if there is any. */
  static @Nullable SdkException within(Throwable failure) {
    for (Throwable each = failure; each != null; each = each.getCause()) {
      if (each instanceof SdkException found) {
        return found;
      }
    }
    return null;
  }
}
