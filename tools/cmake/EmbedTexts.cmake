# Writes files into an array of pairs of C++ strings, the path from ROOT and the text:
#   cmake -DROOT=<folder> -DOUTPUT=<file> "-DFILES=<relative paths>" -P EmbedTexts.cmake
set(entries "")
foreach(file ${FILES})
  file(READ ${ROOT}/${file} text)
  # A string literal may be of 64 KiB only.
  string(LENGTH "${text}" length)
  if(length GREATER 60000)
    message(FATAL_ERROR "${file} has ${length} characters: too long for a string literal; split it")
  endif()
  string(APPEND entries "{\"${file}\", R\"sluice(${text})sluice\"},\n")
endforeach()
file(WRITE ${OUTPUT} "${entries}")
