package dev.weir.control.archive;

import java.time.YearMonth;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Deletes files that are older than anybody has to keep them. */
final class ColdFiles {
  private final Jobs jobs;
  private final Place place;

  ColdFiles(Jobs jobs, Place place) {
    this.jobs = jobs;
    this.place = place;
  }

  /** Deletes the files of months before that one; returns where they were. */
  List<String> deleteBefore(YearMonth end) {
    // Of a month whose rows are still in the database the file is not finished with.
    Set<String> inWork =
        jobs.open().stream()
            .map(ArchiveJob::file)
            .flatMap(Optional::stream)
            .collect(Collectors.toSet());
    List<String> deleted = new ArrayList<>();
    for (String name : place.list()) {
      String location = place.location(name);
      if (isBefore(name, end) && !inWork.contains(location)) {
        place.delete(name);
        deleted.add(location);
      }
    }
    // By what is gone, not by what was just deleted: an earlier attempt may have been cut off.
    for (ArchiveJob job : jobs.list()) {
      if (job.state() == ArchiveState.DROPPED
          && job.month().isBefore(end)
          && job.file().equals(Optional.of(place.location(job.archiveFile().name())))) {
        jobs.move(job, ArchiveState.DELETED);
      }
    }
    return List.copyOf(deleted);
  }

  private static boolean isBefore(String name, YearMonth end) {
    return ArchiveFile.of(name).map(file -> file.month().isBefore(end)).orElse(false);
  }
}
